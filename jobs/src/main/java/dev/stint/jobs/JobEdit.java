package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldPath;
import dev.stint.model.job.JobAdmission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A change of an existing Job, which is checked by the rules of the API before it is requested.
 *
 * @param job the Job as it is
 * @param patch a merge patch of its labels, annotations and specification
 * @param gates the feature gates of the API that is to change it
 */
public record JobEdit(KubeObject job, ObjectNode patch, FeatureGates gates) {
  private static final List<String> METADATA = List.of("labels", "annotations");

  /** Returns an edit that changes nothing. */
  public static JobEdit none(KubeObject job, FeatureGates gates) {
    return new JobEdit(job, Json.object(), gates);
  }

  /**
   * Returns the edit that sets fields of the specification.
   *
   * @param fields the fields and their values; null removes one
   */
  public static JobEdit ofSpec(KubeObject job, ObjectNode fields, FeatureGates gates) {
    ObjectNode before = spec(job);
    ObjectNode after = before.deepCopy();
    fields.properties().forEach(field -> put(after, field.getKey(), field.getValue()));
    return none(job, gates).withSpec(before, after);
  }

  /**
   * Returns the edit that makes a Job what a document says. Labels and annotations that only the
   * Job has stay.
   *
   * @param document a valid document of a Job
   * @param left members of the specification that stay as they are
   */
  public static JobEdit towards(
      KubeObject job, ObjectNode document, Set<String> left, FeatureGates gates) {
    ObjectNode wanted = document.deepCopy();
    JobAdmission.create(wanted, job.uid(), gates);
    ObjectNode before = spec(job);
    ObjectNode after = Json.copyOf(Json.objectAt(wanted, "spec"));
    left.forEach(member -> put(after, member, before.get(member)));
    return none(job, gates)
        .withSpec(before, after)
        .withMetadata(Json.objectAt(document, "metadata"));
  }

  private JobEdit withSpec(ObjectNode before, ObjectNode after) {
    ObjectNode changed = patch.deepCopy();
    ObjectNode spec = difference(before, after);
    if (!spec.isEmpty()) {
      changed.set("spec", spec);
    }
    return new JobEdit(job, changed, gates);
  }

  private JobEdit withMetadata(@Nullable ObjectNode wanted) {
    ObjectNode changed = patch.deepCopy();
    for (String member : METADATA) {
      ObjectNode mine = Json.copyOf(Json.objectAt(job.metadata(), member));
      ObjectNode after = Json.copyOf(mine).setAll(Json.copyOf(Json.objectAt(wanted, member)));
      ObjectNode difference = difference(mine, after);
      if (!difference.isEmpty()) {
        changed.withObjectProperty("metadata").set(member, difference);
      }
    }
    return new JobEdit(job, changed, gates);
  }

  public boolean isEmpty() {
    return patch.isEmpty();
  }

  /** Returns the fields that cannot be changed as wanted, and why; none if all can. */
  public List<FieldError> faults() {
    ObjectNode before = job.tree();
    ObjectNode after = job.copy();
    ObjectNode spec = Json.objectAt(patch, "spec");
    if (spec != null) {
      merge(after.withObjectProperty("spec"), spec);
    }
    return JobAdmission.update(before, after, gates).stream()
        .map(fault -> located(fault, before, after))
        .toList();
  }

  /** Returns a fault at the innermost field that holds all differences. */
  private static FieldError located(FieldError fault, ObjectNode before, ObjectNode after) {
    String member = fault.path().startsWith("spec.") ? fault.path().substring(5) : "";
    JsonNode one = before.path("spec").path(member);
    JsonNode other = after.path("spec").path(member);
    return one.isContainer() && other.isContainer()
        ? new FieldError(differing(fault.path(), one, other), fault.type(), fault.detail())
        : fault;
  }

  /** A member or an element that differs. */
  private record Difference(String step, JsonNode one, JsonNode other) {}

  private static String differing(String path, JsonNode one, JsonNode other) {
    List<Difference> all = differences(one, other);
    if (all.size() != 1) {
      return path;
    }
    Difference only = all.getFirst();
    return differing(path + only.step(), only.one(), only.other());
  }

  /** Returns what differs in two objects, or in two lists of as many objects. */
  private static List<Difference> differences(JsonNode one, JsonNode other) {
    List<Difference> all = new ArrayList<>();
    if (one.isObject() && other.isObject()) {
      Set<String> names = new TreeSet<>(one.propertyNames());
      names.addAll(other.propertyNames());
      names.forEach(name -> all.add(new Difference("." + name, one.path(name), other.path(name))));
    } else if (one.path(0).isObject() && one.size() == other.size()) {
      for (int i = 0; i < one.size(); i++) {
        all.add(new Difference("[" + i + "]", one.get(i), other.path(i)));
      }
    }
    return all.stream().filter(each -> !isSame(each.one(), each.other())).toList();
  }

  /** Returns the changes of the specification in words: {@code parallelism 4 → 8}. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    ObjectNode before = spec(job);
    ObjectNode changed = Json.objectAt(patch, "spec");
    if (changed != null) {
      changed
          .properties()
          .forEach(field ->
              words.add(words(field.getKey(), before.get(field.getKey()), field.getValue())));
    }
    ObjectNode metadata = Json.objectAt(patch, "metadata");
    if (metadata != null) {
      words.addAll(metadata.propertyNames());
    }
    return words;
  }

  private static String words(String field, @Nullable JsonNode before, JsonNode after) {
    if (field.equals("suspend")) {
      return after.asBoolean() ? "suspended" : "no longer suspended";
    }
    return (before != null && before.isContainer()) || after.isContainer()
        ? field + " is another one"
        : field + " " + value(before) + " → " + value(after);
  }

  private static String value(@Nullable JsonNode value) {
    return value == null || value.isNull() ? "none" : value.asString();
  }

  /** Adds an annotation to the edit. */
  public JobEdit withAnnotation(String name, String value) {
    ObjectNode changed = patch.deepCopy();
    changed.withObjectProperty("metadata").withObjectProperty("annotations").put(name, value);
    return new JobEdit(job, changed, gates);
  }

  /** Removes an annotation with the edit. */
  public JobEdit withoutAnnotation(String name) {
    ObjectNode changed = patch.deepCopy();
    changed.withObjectProperty("metadata").withObjectProperty("annotations").putNull(name);
    return new JobEdit(job, changed, gates);
  }

  /**
   * Carries it out.
   *
   * @return the changed Job
   */
  public KubeObject apply(Cluster cluster) {
    if (isEmpty()) {
      return job;
    }
    ObjectNode whole = patch.deepCopy();
    whole.withObjectProperty("metadata").put("uid", job.uid());
    return ApiCalls.await(cluster.patch(job.ref(), whole));
  }

  private static ObjectNode spec(KubeObject job) {
    ObjectNode spec = job.spec();
    return spec == null ? Json.object() : spec;
  }

  /** Returns the merge patch that makes one object the other (RFC 7386). */
  private static ObjectNode difference(ObjectNode before, ObjectNode after) {
    ObjectNode patch = Json.object();
    Set<String> names = new TreeSet<>(before.propertyNames());
    names.addAll(after.propertyNames());
    for (String name : names) {
      JsonNode one = before.get(name);
      JsonNode other = after.get(name);
      if (isSame(one, other)) {
        continue;
      }
      if (one instanceof ObjectNode mine && other instanceof ObjectNode wanted) {
        patch.set(name, difference(mine, wanted));
      } else if (other == null) {
        patch.putNull(name);
      } else {
        patch.set(name, other.deepCopy());
      }
    }
    return patch;
  }

  private static void merge(ObjectNode object, ObjectNode patch) {
    patch
        .properties()
        .forEach(field -> {
          if (field.getValue() instanceof ObjectNode inner
              && object.get(field.getKey()) instanceof ObjectNode mine) {
            merge(mine, inner);
          } else {
            put(object, field.getKey(), field.getValue());
          }
        });
  }

  private static void put(ObjectNode object, String member, @Nullable JsonNode value) {
    if (value == null || value.isNull() || value.isMissingNode()) {
      object.remove(member);
    } else {
      object.set(member, value);
    }
  }

  /** True if both have the same value; numbers may differ in type. */
  private static boolean isSame(@Nullable JsonNode one, @Nullable JsonNode other) {
    ObjectNode left = Json.object();
    ObjectNode right = Json.object();
    put(left, "x", one);
    put(right, "x", other);
    return FieldPath.root(left).get("x").sameAs(FieldPath.root(right).get("x"));
  }
}
