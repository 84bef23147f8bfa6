package dev.stint.runner.device;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A set of devices.
 *
 * @param ids the IDs of the devices by the name of their resource, such as {@code nvidia.com/gpu};
 *     no name without an ID
 */
public record Devices(SortedMap<String, List<String>> ids) {
  public static final Devices NONE = new Devices(new TreeMap<>());

  public Devices {
    SortedMap<String, List<String>> copy = new TreeMap<>();
    ids.forEach((name, list) -> {
      if (!list.isEmpty()) {
        copy.put(name, List.copyOf(list));
      }
    });
    ids = Collections.unmodifiableSortedMap(copy);
  }

  public boolean isEmpty() {
    return ids.isEmpty();
  }

  /** Returns the IDs of one resource; empty if there are none. */
  public List<String> of(String name) {
    return ids.getOrDefault(name, List.of());
  }

  /** Returns these devices, but with other ones of one resource. */
  public Devices with(String name, List<String> others) {
    SortedMap<String, List<String>> all = new TreeMap<>(ids);
    all.put(name, others);
    return new Devices(all);
  }

  /** Returns these devices without those that others have too. */
  public Devices without(Devices others) {
    SortedMap<String, List<String>> left = new TreeMap<>();
    ids.forEach((name, list) -> {
      List<String> own = new ArrayList<>(list);
      own.removeAll(others.of(name));
      left.put(name, own);
    });
    return new Devices(left);
  }

  /** Returns these devices and others. */
  public Devices plus(Devices others) {
    Devices sum = this;
    for (Map.Entry<String, List<String>> entry : others.ids.entrySet()) {
      List<String> both = new ArrayList<>(of(entry.getKey()));
      both.addAll(entry.getValue());
      sum = sum.with(entry.getKey(), both);
    }
    return sum;
  }

  /** Returns the devices for people, as {@code --device} takes them: {@code nvidia.com/gpu=0,1}. */
  public String display() {
    return ids.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + String.join(",", entry.getValue()))
        .collect(Collectors.joining(" "));
  }

  /** Returns how many devices there are of each resource. */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    ids.forEach((resource, found) -> counts.put(resource, (long) found.size()));
    return Collections.unmodifiableMap(counts);
  }
}
