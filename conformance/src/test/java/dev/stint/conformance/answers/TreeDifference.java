package dev.stint.conformance.answers;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The differences between two trees. */
final class TreeDifference {
  private TreeDifference() {}

  /**
   * Returns the paths of members that differ, with {@code +} before those that only the second has.
   */
  static Set<String> differing(JsonNode wanted, @Nullable JsonNode found) {
    Set<String> paths = new TreeSet<>();
    compare("", wanted, found, paths);
    return paths;
  }

  private static void compare(
      String path, @Nullable JsonNode wanted, @Nullable JsonNode found, Set<String> paths) {
    if (wanted == null || found == null) {
      paths.add((wanted == null ? "+" : "-") + path);
    } else if (wanted instanceof ObjectNode && found instanceof ObjectNode) {
      Set<String> names = new TreeSet<>(wanted.propertyNames());
      names.addAll(found.propertyNames());
      names.forEach(name -> compare(path + "." + name, wanted.get(name), found.get(name), paths));
    } else if (wanted instanceof ArrayNode && found instanceof ArrayNode) {
      for (int i = 0; i < Math.max(wanted.size(), found.size()); i++) {
        compare(path + "[]", wanted.get(i), found.get(i), paths);
      }
    } else if (!wanted.equals(found)) {
      paths.add(path);
    }
  }
}
