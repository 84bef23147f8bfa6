package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The columns of volumes, claims and storage classes. */
final class VolumeColumns {
  private static final String UNSET = "<unset>";
  private static final Map<String, String> MODES =
      Map.of(
          "ReadWriteOnce",
          "RWO",
          "ReadOnlyMany",
          "ROX",
          "ReadWriteMany",
          "RWX",
          "ReadWriteOncePod",
          "RWOP");

  static final List<Column> CLAIMS =
      List.of(
          Column.named(),
          Column.text("Status", "Whether it is bound to a volume.", VolumeColumns::status),
          Column.text("Volume", "The volume.", o -> o.get("spec", "volumeName").text()),
          Column.text(
              "Capacity",
              "The size of the volume.",
              o -> bound(o, o.get("status", "capacity", "storage").text())),
          Column.text(
              "Access Modes",
              "The ways in which the volume can be mounted.",
              o -> bound(o, modes(o.get("status", "accessModes")))),
          Column.text(
              "StorageClass", "The storage class.", o -> o.get("spec", "storageClassName").text()),
          attributes(),
          Column.age(),
          mode());

  static final List<Column> VOLUMES =
      List.of(
          Column.named(),
          Column.text("Capacity", "Its size.", o -> o.get("spec", "capacity", "storage").text()),
          Column.text(
              "Access Modes",
              "The ways in which it can be mounted.",
              o -> modes(o.get("spec", "accessModes"))),
          Column.text(
              "Reclaim Policy",
              "What happens to it without a claim.",
              o -> o.get("spec", "persistentVolumeReclaimPolicy").text()),
          Column.text("Status", "Whether it is bound to a claim.", VolumeColumns::status),
          Column.text("Claim", "The claim.", VolumeColumns::claim),
          Column.text(
              "StorageClass", "The storage class.", o -> o.get("spec", "storageClassName").text()),
          attributes(),
          Column.text("Reason", "Why it has its status.", o -> o.get("status", "reason").text()),
          Column.age(),
          mode());

  static final List<Column> STORAGE_CLASSES =
      List.of(
          new Column(
              "Name",
              "string",
              "name",
              false,
              "The name of the object, unique for its kind and namespace.",
              Column.text("Name", "", VolumeColumns::className).cell()),
          Column.text("Provisioner", "Makes the volumes.", o -> o.get("provisioner").text()),
          Column.text(
              "ReclaimPolicy",
              "What happens to volumes without a claim.",
              o -> o.get("reclaimPolicy").text()),
          Column.text(
              "VolumeBindingMode",
              "When claims are bound.",
              o -> o.get("volumeBindingMode").text()),
          Column.flag(
              "AllowVolumeExpansion",
              "Whether volumes can grow.",
              o -> o.get("allowVolumeExpansion").isTrue()),
          Column.age());

  private VolumeColumns() {}

  private static Column attributes() {
    return Column.text(
        "VolumeAttributesClass",
        "The class of its attributes.",
        o -> orUnset(o, "volumeAttributesClassName"));
  }

  private static Column mode() {
    return Column.text(
            "VolumeMode", "Whether it is a file system or a device.", o -> orUnset(o, "volumeMode"))
        .onlyWide();
  }

  private static String orUnset(FieldPath object, String field) {
    String text = object.get("spec", field).text();
    return text.isEmpty() ? UNSET : text;
  }

  private static String status(FieldPath object) {
    return object.get("metadata", "deletionTimestamp").exists()
        ? "Terminating"
        : object.get("status", "phase").text();
  }

  private static String bound(FieldPath claim, String text) {
    return claim.get("spec", "volumeName").isEmpty() ? "" : text;
  }

  private static String modes(FieldPath modes) {
    return modes.items().stream()
        .map(mode -> MODES.getOrDefault(mode.text(), mode.text()))
        .distinct()
        .collect(Collectors.joining(","));
  }

  private static String claim(FieldPath volume) {
    FieldPath claim = volume.get("spec", "claimRef");
    return claim.exists() ? claim.get("namespace").text() + "/" + claim.get("name").text() : "";
  }

  private static String className(FieldPath object) {
    FieldPath annotations = object.get("metadata", "annotations");
    boolean isDefault =
        annotations.entry("storageclass.kubernetes.io/is-default-class").text().equals("true");
    return object.get("metadata", "name").text() + (isDefault ? " (default)" : "");
  }
}
