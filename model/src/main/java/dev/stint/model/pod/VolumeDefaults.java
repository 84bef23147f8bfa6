package dev.stint.model.pod;

import dev.stint.model.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Defaults of one volume. */
final class VolumeDefaults {
  private static final int MODE = 0644;
  private static final List<String> WITH_MODE =
      List.of("secret", "configMap", "downwardAPI", "projected");

  private VolumeDefaults() {}

  static void apply(ObjectNode volume) {
    if (volume.properties().stream().allMatch(member -> member.getKey().equals("name"))) {
      volume.putObject("emptyDir");
    }
    for (String source : WITH_MODE) {
      ObjectNode found = Json.objectAt(volume, source);
      if (found != null) {
        Defaults.integer(found, "defaultMode", MODE);
      }
    }
    PodDefaults.each(Json.objectAt(volume, "downwardAPI"), "items", ContainerDefaults::fieldRef);
    PodDefaults.each(Json.objectAt(volume, "projected"), "sources", VolumeDefaults::projection);
    others(volume);
  }

  private static void projection(ObjectNode source) {
    PodDefaults.each(Json.objectAt(source, "downwardAPI"), "items", ContainerDefaults::fieldRef);
    ObjectNode token = Json.objectAt(source, "serviceAccountToken");
    if (token != null) {
      Defaults.integer(token, "expirationSeconds", 3600);
    }
    ObjectNode certificate = Json.objectAt(source, "podCertificate");
    if (certificate != null) {
      Defaults.integer(certificate, "maxExpirationSeconds", 86_400);
    }
  }

  private static void others(ObjectNode volume) {
    ObjectNode hostPath = Json.objectAt(volume, "hostPath");
    if (hostPath != null) {
      Defaults.optionalText(hostPath, "type", "");
    }
    ObjectNode image = Json.objectAt(volume, "image");
    if (image != null) {
      Defaults.text(image, "pullPolicy", DefaultPullPolicy.of(Json.text(image, "reference")));
    }
    ObjectNode claim =
        Json.objectAt(
            Json.objectAt(Json.objectAt(volume, "ephemeral"), "volumeClaimTemplate"), "spec");
    if (claim != null) {
      Defaults.optionalText(claim, "volumeMode", "Filesystem");
      ResourceDefaults.roundUp(Json.objectAt(claim, "resources"));
    }
    ObjectNode iscsi = Json.objectAt(volume, "iscsi");
    if (iscsi != null) {
      Defaults.text(iscsi, "iscsiInterface", "default");
    }
    remote(volume);
  }

  private static void remote(ObjectNode volume) {
    ObjectNode rbd = Json.objectAt(volume, "rbd");
    if (rbd != null) {
      Defaults.text(rbd, "pool", "rbd");
      Defaults.text(rbd, "user", "admin");
      Defaults.text(rbd, "keyring", "/etc/ceph/keyring");
    }
    ObjectNode azure = Json.objectAt(volume, "azureDisk");
    if (azure != null) {
      Defaults.optionalText(azure, "cachingMode", "ReadWrite");
      Defaults.optionalText(azure, "kind", "Shared");
      Defaults.optionalText(azure, "fsType", "ext4");
      Defaults.bool(azure, "readOnly", false);
    }
    ObjectNode scale = Json.objectAt(volume, "scaleIO");
    if (scale != null) {
      Defaults.text(scale, "storageMode", "ThinProvisioned");
      Defaults.text(scale, "fsType", "xfs");
    }
  }
}
