package dev.stint.controllers.namespace;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The objects found in a namespace that is being deleted, and the failures to delete them. */
final class NamespaceContents {
  private final Map<String, Integer> remaining = new TreeMap<>();
  private final Map<String, Integer> finalizers = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();

  /** Counts objects of one kind that were still there: a part of them. */
  void addObjects(Kind kind, List<KubeObject> objects) {
    if (!objects.isEmpty()) {
      remaining.merge(kind.plural() + "." + kind.group(), objects.size(), Integer::sum);
    }
    for (KubeObject object : objects) {
      object.finalizers().forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum));
    }
  }

  void addFailure(Kind kind, String message) {
    failures.add(kind.plural() + "." + kind.group() + ": " + message);
  }

  /** True if the namespace is certainly empty. */
  boolean isEmpty() {
    return remaining.isEmpty() && failures.isEmpty();
  }

  boolean hasRemaining() {
    return !remaining.isEmpty();
  }

  boolean hasFinalizers() {
    return !finalizers.isEmpty();
  }

  boolean hasFailures() {
    return !failures.isEmpty();
  }

  /**
   * Returns text such as {@code pods. has 2 resource instances, secrets. has 1 resource instances}.
   */
  String remaining() {
    return remaining.entrySet().stream()
        .map(entry -> entry.getKey() + " has " + entry.getValue() + " resource instances")
        .collect(Collectors.joining(", "));
  }

  /** Returns text such as {@code example.com/hold in 2 resource instances}. */
  String finalizers() {
    return finalizers.entrySet().stream()
        .map(entry -> entry.getKey() + " in " + entry.getValue() + " resource instances")
        .collect(Collectors.joining(", "));
  }

  /** Returns text such as {@code 1 remaining: pods.: the API is away}. */
  String failures() {
    return failures.size() + " remaining: " + String.join(", ", failures);
  }
}
