package dev.stint.model.pod;

import dev.stint.model.Quantity;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of {@code volumes}. */
final class VolumeRules {
  /** The sources in order: the first one counts, and further ones are surplus. */
  private static final List<String> SOURCES =
      List.of(
          "emptyDir",
          "hostPath",
          "gitRepo",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "secret",
          "nfs",
          "iscsi",
          "glusterfs",
          "flocker",
          "persistentVolumeClaim",
          "rbd",
          "cinder",
          "cephfs",
          "quobyte",
          "downwardAPI",
          "fc",
          "flexVolume",
          "configMap",
          "azureFile",
          "vsphereVolume",
          "photonPersistentDisk",
          "portworxVolume",
          "azureDisk",
          "storageos",
          "projected",
          "scaleIO",
          "csi",
          "ephemeral",
          "image");

  /** Kubernetes' spelling of the paths of these sources if they are surplus. */
  private static final Map<String, String> SURPLUS =
      Map.of("downwardAPI", "downwarAPI", "cephfs", "cephFS");

  /** Kubernetes' spelling of the paths within these sources. */
  private static final Map<String, String> DETAILS = Map.of("gcePersistentDisk", "persistentDisk");

  private static final int LONGEST_INTERFACE = 64;

  /** The required fields of each source. */
  private static final Map<String, List<String>> NEEDED =
      Map.ofEntries(
          Map.entry("hostPath", List.of("path")),
          Map.entry("secret", List.of("secretName")),
          Map.entry("configMap", List.of("name")),
          Map.entry("persistentVolumeClaim", List.of("claimName")),
          Map.entry("nfs", List.of("server", "path")),
          Map.entry("gitRepo", List.of("repository")),
          Map.entry("gcePersistentDisk", List.of("pdName")),
          Map.entry("awsElasticBlockStore", List.of("volumeID")),
          Map.entry("cinder", List.of("volumeID")),
          Map.entry("portworxVolume", List.of("volumeID")),
          Map.entry("photonPersistentDisk", List.of("pdID")),
          Map.entry("vsphereVolume", List.of("volumePath")),
          Map.entry("azureDisk", List.of("diskName", "diskURI")),
          Map.entry("azureFile", List.of("secretName", "shareName")),
          Map.entry("flexVolume", List.of("driver")),
          Map.entry("glusterfs", List.of("endpoints", "path")),
          Map.entry("cephfs", List.of("monitors")),
          Map.entry("rbd", List.of("monitors", "image")),
          Map.entry("iscsi", List.of("targetPortal", "iqn")),
          Map.entry("quobyte", List.of("registry", "volume")),
          Map.entry("scaleIO", List.of("gateway", "system", "volumeName")),
          Map.entry("ephemeral", List.of("volumeClaimTemplate")));

  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> HOST_PATH_TYPES =
      List.of(
          "",
          "DirectoryOrCreate",
          "Directory",
          "FileOrCreate",
          "File",
          "Socket",
          "CharDevice",
          "BlockDevice");

  private VolumeRules() {}

  /**
   * Checks the volumes, and returns the valid ones by name, which mounts may refer to.
   *
   * @param podName null in a template
   */
  static Map<String, FieldPath> check(
      FieldPath volumes, @Nullable String podName, FieldErrors faults) {
    Set<String> names = new HashSet<>();
    Map<String, FieldPath> sound = new HashMap<>();
    for (FieldPath volume : volumes.items()) {
      FieldErrors own = new FieldErrors();
      sources(volume, own);
      if (podName != null && isOfKind(volume, "ephemeral")) {
        claimName(volume.get("name"), podName, own);
      }
      name(volume.get("name"), names, own);
      if (own.isEmpty()) {
        names.add(volume.get("name").text());
        sound.put(volume.get("name").text(), volume);
      }
      faults.addAll(own.list());
    }
    return sound;
  }

  /**
   * @param taken the names of the valid volumes before
   */
  private static void name(FieldPath name, Set<String> taken, FieldErrors faults) {
    if (name.isEmpty()) {
      faults.required(name, "is required");
    } else {
      faults.invalidUnlessSound(name, Formats.dnsLabel(name.text()));
    }
    if (taken.contains(name.text())) {
      faults.duplicate(name, "\"" + name.text() + "\" already names another volume");
    }
  }

  /** Checks the name of the claim, which is made of the pod's and the volume's names. */
  private static void claimName(FieldPath name, String podName, FieldErrors faults) {
    if (!name.isEmpty() && !podName.isEmpty()) {
      faults.invalidUnlessSound(name, Formats.dnsSubdomain(podName + "-" + name.text()));
    }
  }

  private static void sources(FieldPath volume, FieldErrors faults) {
    boolean found = false;
    for (String kind : SOURCES) {
      FieldPath source = volume.get(kind);
      if (source.exists() && found) {
        faults.forbidden(
            volume.get(SURPLUS.getOrDefault(kind, kind)).path(),
            "a volume may have only one source");
      } else if (source.exists()) {
        found = true;
        source(source.reportedAt(volume.get(DETAILS.getOrDefault(kind, kind))), kind, faults);
      }
    }
    if (!found) {
      faults.required(volume, "needs a source, such as emptyDir");
    }
    if (volume.get("iscsi").exists()) {
      portal(volume, faults);
    }
  }

  /** True if a volume is of this kind, which is that of its first source. */
  static boolean isOfKind(FieldPath volume, String kind) {
    return SOURCES.stream()
        .filter(source -> volume.get(source).exists())
        .findFirst()
        .filter(kind::equals)
        .isPresent();
  }

  /**
   * Checks the length of an initiator's interface name, which is made of the volume's name and its
   * portal.
   */
  private static void portal(FieldPath volume, FieldErrors faults) {
    FieldPath name = volume.get("name");
    String both = name.text() + ":" + volume.get("iscsi", "targetPortal").text();
    if (volume.get("iscsi", "initiatorName").exists() && Formats.bytes(both) > LONGEST_INTERFACE) {
      faults.invalid(
          name, "must have at most 64 characters together with targetPortal, with initiatorName");
    }
  }

  private static void source(FieldPath source, String kind, FieldErrors faults) {
    for (String member : NEEDED.getOrDefault(kind, List.of())) {
      FieldPath field = source.get(member);
      if (!field.exists() || field.isEmpty()) {
        faults.required(field, "is required");
      }
    }
    switch (kind) {
      case "emptyDir" -> emptyDir(source.get("sizeLimit"), faults);
      case "hostPath" -> hostPath(source, faults);
      case "secret", "configMap" -> {
        VolumeFileRules.mode(source.get("defaultMode"), faults);
        VolumeFileRules.items(source.get("items"), faults);
      }
      case "downwardAPI" -> {
        VolumeFileRules.mode(source.get("defaultMode"), faults);
        DownwardApiRules.files(source, faults);
      }
      case "projected" -> ProjectedVolumeRules.check(source, faults);
      case "ephemeral" -> ClaimTemplateRules.check(source.get("volumeClaimTemplate"), faults);
      case "image" -> faults.notSupportedUnlessIn(source.get("pullPolicy"), PULL_POLICIES);
      default -> RemoteVolumeRules.check(source, kind, faults);
    }
  }

  private static void emptyDir(FieldPath limit, FieldErrors faults) {
    Quantity amount = limit.exists() ? Quantity.parse(limit.text()) : null;
    if (amount != null && amount.isNegative()) {
      faults.forbidden(limit, limit.text() + " must be 0 or more");
    }
  }

  private static void hostPath(FieldPath source, FieldErrors faults) {
    FieldPath path = source.get("path");
    if (path.isEmpty()) {
      return;
    }
    if (VolumeFileRules.climbs(path.text())) {
      faults.invalid(path, "must not have \"..\" in it");
    }
    faults.notSupportedUnlessIn(source.get("type"), HOST_PATH_TYPES);
  }
}
