package dev.stint.embedded.share;

import dev.stint.model.Json;
import dev.stint.runner.process.user.Surroundings;
import java.nio.file.Path;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/** The JSON form of a command's surroundings. */
final class SurroundingsJson {
  private SurroundingsJson() {}

  static ObjectNode write(Surroundings surroundings) {
    ObjectNode tree = Json.object();
    ObjectNode variables = tree.putObject("environment");
    surroundings.environment().forEach(variables::put);
    tree.put("directory", surroundings.directory().toString());
    return tree.put("umask", surroundings.umask());
  }

  static Surroundings read(ObjectNode tree) {
    TreeMap<String, String> variables = new TreeMap<>();
    Wire.object(tree, "environment")
        .properties()
        .forEach(each -> variables.put(each.getKey(), each.getValue().stringValue("")));
    return Surroundings.of(
        variables, Path.of(Wire.text(tree, "directory")), Wire.text(tree, "umask"));
  }
}
