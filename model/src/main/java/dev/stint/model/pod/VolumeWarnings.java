package dev.stint.model.pod;

import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Warnings about types of volumes that clusters no longer mount. */
final class VolumeWarnings {
  private static final Map<String, String> GONE = new LinkedHashMap<>();

  static {
    GONE.put("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+");
    GONE.put("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+");
    GONE.put("scaleIO", "deprecated in v1.16, non-functional in v1.22+");
    GONE.put("flocker", "deprecated in v1.22, non-functional in v1.25+");
    GONE.put("storageos", "deprecated in v1.22, non-functional in v1.25+");
    GONE.put("quobyte", "deprecated in v1.22, non-functional in v1.25+");
    GONE.put("glusterfs", "deprecated in v1.25, non-functional in v1.26+");
    GONE.put("cephfs", "deprecated in v1.28, non-functional in v1.31+");
    GONE.put("rbd", "deprecated in v1.28, non-functional in v1.31+");
  }

  private VolumeWarnings() {}

  /** Returns the warnings. Kubernetes' name of {@code storageos} differs from its field. */
  static List<String> of(FieldPath spec) {
    List<String> warnings = new ArrayList<>();
    for (FieldPath volume : spec.get("volumes").items()) {
      GONE.forEach((type, since) -> {
        if (volume.get(type).exists()) {
          warnings.add(volume.get(type).path().replace("storageos", "storageOS") + ": " + since);
        }
      });
      FieldPath claim = volume.get("ephemeral", "volumeClaimTemplate", "spec", "resources");
      warnings.addAll(FractionalByteWarnings.amounts(claim, "requests", "storage"));
      warnings.addAll(FractionalByteWarnings.amounts(claim, "limits", "storage"));
    }
    return warnings;
  }
}
