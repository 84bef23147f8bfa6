package dev.stint.cli.submit;

import dev.stint.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Digests that are equal for equal documents, however their members are ordered. */
final class DocumentDigest {
  private DocumentDigest() {}

  static String of(ObjectNode tree) {
    StringBuilder text = new StringBuilder();
    canonical(tree, text);
    return Sha256.hex(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void canonical(JsonNode node, StringBuilder text) {
    if (node.isObject()) {
      TreeMap<String, JsonNode> members = new TreeMap<>();
      node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
      text.append('{');
      members.forEach((name, value) -> {
        text.append(name.length()).append(':').append(name);
        canonical(value, text);
      });
      text.append('}');
    } else if (node.isArray()) {
      text.append('[');
      node.forEach(element -> canonical(element, text));
      text.append(']');
    } else {
      text.append(node).append(',');
    }
  }
}
