package dev.stint.apiserver.patch;

import dev.stint.model.Json;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Documents for tests. */
final class Sample {
  private Sample() {}

  /** JSON with single quotes. */
  static ObjectNode tree(String json) {
    return Json.parse(json.replace('\'', '"'));
  }

  /** JSON with single quotes, of any kind. */
  static JsonNode value(String json) {
    JsonNode value = tree("{'value':" + json + "}").get("value");
    return Objects.requireNonNull(value);
  }

  static ObjectNode job() {
    return tree(
        """
        {'apiVersion': 'batch/v1', 'kind': 'Job',
         'metadata': {'name': 'a', 'namespace': 'default', 'uid': 'u', 'labels': {'app': 'x'}},
         'spec': {'parallelism': 1, 'completions': 2, 'template': {'spec': {
           'restartPolicy': 'Never',
           'containers': [{'name': 'main', 'image': 'busybox', 'command': ['true'],
                           'ports': [{'containerPort': 80, 'protocol': 'TCP'}]}]}}}}
        """);
  }
}
