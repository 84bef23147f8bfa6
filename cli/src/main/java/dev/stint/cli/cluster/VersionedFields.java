package dev.stint.cli.cluster;

import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The fields of Jobs that clusters drop silently up to a version: their feature gates are off by
 * default there.
 */
final class VersionedFields {
  /**
   * A field.
   *
   * @param path its path, in which {@code []} stands for any index
   * @param since the first minor version that has it by default
   */
  private record Field(String path, int since) {}

  private static final String POD = "spec.template.spec.";

  private static final List<Field> FIELDS =
      List.of(
          new Field("spec.podFailurePolicy", 26),
          new Field("spec.backoffLimitPerIndex", 29),
          new Field("spec.maxFailedIndexes", 29),
          new Field("spec.podReplacementPolicy", 29),
          new Field("spec.successPolicy", 31),
          new Field("spec.managedBy", 32),
          new Field(POD + "initContainers[].restartPolicy", 29),
          new Field(POD + "resources", 34),
          new Field(POD + "containers[].restartPolicyRules", 35),
          new Field(POD + "initContainers[].restartPolicyRules", 35),
          new Field(POD + "hostnameOverride", 35),
          new Field(POD + "volumes[].image", 35));

  private VersionedFields() {}

  /**
   * A field of a Job that a cluster would drop.
   *
   * @param path such as {@code spec.successPolicy}
   * @param detail what would happen, and what is needed
   */
  record Dropped(String path, String detail) {}

  /** Returns the fields of a Job that a cluster of a version drops. */
  static List<Dropped> of(KubeObject job, ClusterVersion version) {
    return FIELDS.stream()
        .filter(field -> field.since() > version.minor())
        .flatMap(
            field -> present(field.path(), job.tree()).map(path -> dropped(path, field, version)))
        .toList();
  }

  private static Dropped dropped(String path, Field field, ClusterVersion version) {
    String effect =
        path.equals("spec.managedBy") ? ", so that its built-in controller would run the Job" : "";
    return new Dropped(
        path,
        "the cluster has %s and would drop this field%s; it needs 1.%d or later"
            .formatted(version.text(), effect, field.since()));
  }

  /** Returns the places where a document has a field. */
  private static Stream<String> present(String path, JsonNode tree) {
    List<String> places = List.of("");
    for (String part : path.split(Pattern.quote("."))) {
      boolean each = part.endsWith("[]");
      String member = each ? part.substring(0, part.length() - 2) : part;
      List<String> next = new ArrayList<>();
      for (String place : places) {
        JsonNode found = at(tree, place).path(member);
        String own = place.isEmpty() ? member : place + "." + member;
        if (!each && !found.isMissingNode() && !found.isNull()) {
          next.add(own);
        }
        for (int i = 0; each && i < found.size(); i++) {
          next.add(own + "[" + i + "]");
        }
      }
      places = next;
    }
    return places.stream();
  }

  private static JsonNode at(JsonNode tree, String place) {
    return place.isEmpty()
        ? tree
        : tree.at("/" + place.replace("[", "/").replace("]", "").replace('.', '/'));
  }
}
