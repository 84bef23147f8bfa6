package dev.stint.engine;

import dev.stint.engine.pod.ContainerMemory;
import dev.stint.engine.pod.PodView;
import dev.stint.model.job.options.MemoryGrowth;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The memory of the next pods, after pods that ran out of it (decision 91). It follows from the
 * existing pods alone: those that ran out of memory, and those that already have more than the
 * template says. Pods without an index share one entry. A change costs O(log n), and nothing for
 * other pods.
 */
final class MemoryNeeds {
  /** A pod and the memory that a container of the next one needs. */
  private record Need(PodView pod, ContainerMemory memory) {}

  /** Orders needs by size; of equal ones, pods that have not stopped and newer pods come last. */
  private static final Comparator<Need> LARGEST_LAST =
      Comparator.comparingLong((Need need) -> need.memory.size())
          .thenComparing(need -> !need.pod.hasStopped())
          .thenComparing(need -> need.pod.created())
          .thenComparing(need -> need.pod.uid());

  private final MemoryGrowth growth;

  /** The needs by index, and then by container. */
  private final Map<Integer, Map<String, TreeSet<Need>>> byIndex = new HashMap<>();

  MemoryNeeds(MemoryGrowth growth) {
    this.growth = growth;
  }

  void put(PodView pod) {
    for (ContainerMemory memory : pod.memory()) {
      byIndex
          .computeIfAbsent(pod.index(), _ -> new TreeMap<>())
          .computeIfAbsent(memory.container(), _ -> new TreeSet<>(LARGEST_LAST))
          .add(new Need(pod, memory.next(growth)));
    }
  }

  void remove(PodView pod) {
    Map<String, TreeSet<Need>> containers = byIndex.get(pod.index());
    if (containers == null) {
      return;
    }
    for (ContainerMemory memory : pod.memory()) {
      TreeSet<Need> needs = containers.get(memory.container());
      if (needs != null && needs.remove(new Need(pod, memory.next(growth))) && needs.isEmpty()) {
        containers.remove(memory.container());
      }
    }
    if (containers.isEmpty()) {
      byIndex.remove(pod.index());
    }
  }

  /** Returns the memory of the next pod of an index; empty for that of the template. */
  List<ContainerMemory> next(int index) {
    Map<String, TreeSet<Need>> containers = byIndex.get(index);
    return containers == null
        ? List.of()
        : containers.values().stream().map(needs -> needs.last().memory).toList();
  }

  /** True if the memory of the next pod of its index follows from this pod. */
  boolean followsFrom(PodView pod) {
    Map<String, TreeSet<Need>> containers = byIndex.get(pod.index());
    return containers != null
        && containers.values().stream().anyMatch(needs -> needs.last().pod.uid().equals(pod.uid()));
  }

  /** Returns the needs of a Job; null if its pods keep the memory of their template. */
  static @Nullable MemoryNeeds of(@Nullable MemoryGrowth growth) {
    return growth == null ? null : new MemoryNeeds(growth);
  }
}
