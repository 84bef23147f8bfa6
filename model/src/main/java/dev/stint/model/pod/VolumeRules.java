package dev.stint.model.pod;

import dev.stint.model.Quantity;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules of {@code volumes}. */
final class VolumeRules {
  /** In this order, the first source counts and the others are too many. */
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
          "rbd",
          "cephfs",
          "downwardAPI",
          "fc",
          "configMap",
          "persistentVolumeClaim",
          "flexVolume",
          "azureFile",
          "vsphereVolume",
          "quobyte",
          "azureDisk",
          "storageos",
          "photonPersistentDisk",
          "portworxVolume",
          "scaleIO",
          "projected",
          "cinder",
          "csi",
          "ephemeral",
          "image");

  /** What a source can't do without. */
  private static final Map<String, List<String>> NEEDED =
      Map.ofEntries(
          Map.entry("hostPath", List.of("path")),
          Map.entry("secret", List.of("secretName")),
          Map.entry("configMap", List.of("name")),
          Map.entry("persistentVolumeClaim", List.of("claimName")),
          Map.entry("nfs", List.of("server", "path")),
          Map.entry("gitRepo", List.of("repository")),
          Map.entry("csi", List.of("driver")),
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

  /** The names of the sound volumes. */
  static Set<String> check(At volumes, Faults faults) {
    Set<String> names = new HashSet<>();
    for (At volume : volumes.items()) {
      name(volume.get("name"), names, faults);
      sources(volume, faults);
    }
    return names;
  }

  private static void name(At name, Set<String> names, Faults faults) {
    if (name.isEmpty()) {
      faults.required(name, "is needed");
      return;
    }
    String complaint = Formats.dnsLabel(name.text());
    faults.invalidUnlessSound(name, complaint);
    if (complaint == null && !names.add(name.text())) {
      faults.duplicate(name, "\"" + name.text() + "\" names another volume already");
    }
  }

  private static void sources(At volume, Faults faults) {
    boolean found = false;
    for (String kind : SOURCES) {
      At source = volume.get(kind);
      if (source.exists() && found) {
        faults.forbidden(source, "a volume has one source only");
      } else if (source.exists()) {
        found = true;
        source(source, kind, faults);
      }
    }
    if (!found) {
      faults.required(volume, "needs a source, such as emptyDir");
    }
  }

  private static void source(At source, String kind, Faults faults) {
    for (String member : NEEDED.getOrDefault(kind, List.of())) {
      At field = source.get(member);
      if (!field.exists() || field.isEmpty()) {
        faults.required(field, "is needed");
      }
    }
    switch (kind) {
      case "emptyDir" -> emptyDir(source.get("sizeLimit"), faults);
      case "hostPath" -> hostPath(source, faults);
      case "secret", "configMap" -> {
        FileRules.mode(source.get("defaultMode"), faults);
        FileRules.items(source.get("items"), faults);
      }
      case "downwardAPI" -> {
        FileRules.mode(source.get("defaultMode"), faults);
        DownwardRules.files(source.get("items"), faults);
      }
      case "projected" -> ProjectionRules.check(source, faults);
      default -> {}
    }
  }

  private static void emptyDir(At limit, Faults faults) {
    Quantity amount = limit.exists() ? Quantity.parse(limit.text()) : null;
    if (amount != null && amount.negative()) {
      faults.forbidden(limit, limit.text() + " must be 0 or more");
    }
  }

  private static void hostPath(At source, Faults faults) {
    At path = source.get("path");
    if (FileRules.climbs(path.text())) {
      faults.invalid(path, "must not have \"..\" in it");
    }
    faults.notSupportedUnlessIn(source.get("type"), HOST_PATH_TYPES);
  }
}
