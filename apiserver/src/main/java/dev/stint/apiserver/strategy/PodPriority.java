package dev.stint.apiserver.strategy;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The admission of a new pod's priority, as in a cluster: that of the class that it names, or of
 * the default class, or 0. A priority that the pod itself sets must be the same.
 */
public final class PodPriority {
  /** The classes of every cluster. */
  private static final Map<String, Integer> SYSTEM =
      Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

  /**
   * The parts of a class that concern pods.
   *
   * @param name empty for none
   */
  private record Chosen(String name, int value, String preemption) {
    static final String PREEMPT = "PreemptLowerPriority";

    static Chosen of(ObjectNode priorityClass) {
      return new Chosen(
          Objects.requireNonNullElse(
              Json.text(Json.objectAt(priorityClass, "metadata"), "name"), ""),
          valueOf(priorityClass),
          Objects.requireNonNullElse(Json.text(priorityClass, "preemptionPolicy"), PREEMPT));
    }
  }

  private PodPriority() {}

  /**
   * Returns the pod with its priority.
   *
   * @param named finds a class; returns null if it does not exist
   * @param all every class
   * @throws dev.stint.cluster.ClusterException {@code FORBIDDEN} if the class does not exist, or
   *     the pod sets another priority than its class
   */
  public static KubeObject admit(
      KubeObject pod,
      Function<String, @Nullable ObjectNode> named,
      Supplier<Stream<ObjectNode>> all) {
    ObjectNode spec = pod.spec();
    if (spec == null) {
      return pod;
    }
    ObjectRef ref = new ObjectRef(Kind.POD, pod.namespace(), pod.name());
    Chosen chosen = chosen(ref, Json.text(spec, "priorityClassName"), named, all);
    Integer asked = Json.integer(spec, "priority");
    if (asked != null && asked != chosen.value()) {
      throw ApiErrors.forbidden(
          ref,
          "the integer value of priority (%d) must not be provided in pod spec; priority admission controller computed %d from the given PriorityClass name"
              .formatted(asked, chosen.value()));
    }
    String preemption = Json.text(spec, "preemptionPolicy");
    if (preemption != null && !preemption.equals(chosen.preemption())) {
      throw ApiErrors.forbidden(
          ref,
          "the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name"
              .formatted(preemption, chosen.preemption()));
    }
    ObjectNode admitted = Json.copyOf(spec).put("priority", chosen.value());
    if (!chosen.name().isEmpty()) {
      admitted.put("priorityClassName", chosen.name());
    }
    admitted.put("preemptionPolicy", chosen.preemption());
    ObjectNode tree = Json.copyOf(pod.tree());
    tree.set("spec", admitted);
    return KubeObject.of(tree);
  }

  /**
   * Refuses a second default class.
   *
   * @param all every class
   * @throws dev.stint.cluster.ClusterException {@code FORBIDDEN}
   */
  public static void refuseSecondDefault(
      ObjectRef ref, ObjectNode priorityClass, Supplier<Stream<ObjectNode>> all) {
    if (!isDefault(priorityClass)) {
      return;
    }
    all.get()
        .filter(PodPriority::isDefault)
        .map(other -> Chosen.of(other).name())
        .filter(name -> !name.equals(ref.name()))
        .findFirst()
        .ifPresent(name -> {
          throw ApiErrors.forbidden(
              ref,
              "PriorityClass %s is already marked as default. Only one default can exist"
                  .formatted(name));
        });
  }

  private static boolean isDefault(ObjectNode priorityClass) {
    return Boolean.TRUE.equals(Json.bool(priorityClass, "globalDefault"));
  }

  private static Chosen chosen(
      ObjectRef pod,
      @Nullable String name,
      Function<String, @Nullable ObjectNode> named,
      Supplier<Stream<ObjectNode>> all) {
    if (name == null || name.isEmpty()) {
      return all.get()
          .filter(PodPriority::isDefault)
          .min(Comparator.comparingInt(PodPriority::valueOf))
          .map(Chosen::of)
          .orElse(new Chosen("", 0, Chosen.PREEMPT));
    }
    ObjectNode found = named.apply(name);
    if (found != null) {
      return Chosen.of(found);
    }
    Integer system = SYSTEM.get(name);
    if (system == null) {
      throw ApiErrors.forbidden(pod, "no PriorityClass with name " + name + " was found");
    }
    return new Chosen(name, system, Chosen.PREEMPT);
  }

  private static int valueOf(ObjectNode priorityClass) {
    return Objects.requireNonNullElse(Json.integer(priorityClass, "value"), 0);
  }
}
