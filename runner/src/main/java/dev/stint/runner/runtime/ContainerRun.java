package dev.stint.runner.runtime;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemSource;
import dev.stint.model.item.ItemText;
import dev.stint.runner.spec.PodInputs;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A container to start.
 *
 * @param container the entry of {@code spec.containers} or {@code spec.initContainers}
 * @param restartCount the number of restarts of the container so far
 * @param adoptOnly true to take over the attempt of an earlier life, but start none: the pod is to
 *     end
 * @param inputs the objects that the pod names, and its line of a list; with that, the container
 *     needs no volume of the list
 * @param repeatsLost true to run an attempt again that a restart of the machine took, instead of
 *     reporting it as {@linkplain Exit#lost lost}
 * @param told the run that was told to go on in an earlier life; null if there was none
 */
public record ContainerRun(
    KubeObject pod,
    ObjectNode container,
    int restartCount,
    boolean adoptOnly,
    PodInputs inputs,
    boolean repeatsLost,
    @Nullable Told told) {
  public ContainerRun {
    container = inputs.item() == null ? container : ItemSource.withoutMount(container);
  }

  /** Creates a run that reports lost attempts. */
  public ContainerRun(
      KubeObject pod, ObjectNode container, int restartCount, boolean adoptOnly, PodInputs inputs) {
    this(pod, container, restartCount, adoptOnly, inputs, false, null);
  }

  /**
   * A run that the pod's stored status tells.
   *
   * @param id its container ID
   * @param restarts the number of restarts before it
   * @param last the end of the run before it; null for none
   */
  public record Told(String id, int restarts, @Nullable Exit last) {}

  /** Returns what the pod works on, for people; null if that is unknown. */
  public @Nullable String item() {
    Item item = inputs.item();
    return item == null ? pod.annotation(Item.ANNOTATION) : ItemText.display(item.line());
  }

  public String name() {
    String name = Json.text(container, "name");
    return name == null ? "" : name;
  }
}
