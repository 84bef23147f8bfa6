package dev.stint.model.podsecurity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Builds the texts of violations, in Kubernetes' words. */
final class ViolationText {
  private ViolationText() {}

  /** Returns {@code "a", "b"}. */
  static String quoted(Collection<String> values) {
    return values.stream().map(value -> '"' + value + '"').collect(Collectors.joining(", "));
  }

  /** Returns the noun for one or several. */
  static String noun(String one, Collection<?> counted) {
    return counted.size() == 1 ? one : one + "s";
  }

  /** Returns {@code container "a"} or {@code containers "a", "b"}. */
  static String containers(Collection<String> names) {
    return noun("container", names) + " " + quoted(names);
  }

  /** Returns the verb for one or several users. */
  static String uses(Collection<?> users) {
    return users.size() == 1 ? "uses" : "use";
  }

  /** Returns {@code pod and containers "a", "b"}, or only one of both. */
  static String setters(boolean pod, Collection<String> containers) {
    List<String> setters = new ArrayList<>();
    if (pod) {
      setters.add("pod");
    }
    if (!containers.isEmpty()) {
      setters.add(containers(containers));
    }
    return String.join(" and ", setters);
  }
}
