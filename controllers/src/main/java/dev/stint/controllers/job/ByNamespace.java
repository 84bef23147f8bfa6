package dev.stint.controllers.job;

import dev.stint.model.KubeObject;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Values by the namespaces of their objects: what happens in one namespace looks at nothing of all
 * the others.
 */
final class ByNamespace<T> {
  /** The values by namespace and uid. */
  private final Map<String, Map<String, T>> values = new HashMap<>();

  /** Adds the value of an object, or replaces it. */
  void put(KubeObject object, T value) {
    values.computeIfAbsent(object.namespace(), _ -> new HashMap<>()).put(object.uid(), value);
  }

  /** Removes the value of an object; harmless if there is none. */
  void remove(KubeObject object) {
    values.computeIfPresent(
        object.namespace(),
        (_, own) -> {
          own.remove(object.uid());
          return own.isEmpty() ? null : own;
        });
  }

  /** Returns the values of a namespace's objects: an unmodifiable view. */
  Collection<T> in(String namespace) {
    Map<String, T> own = values.get(namespace);
    return own == null ? List.of() : Collections.unmodifiableCollection(own.values());
  }
}
