package dev.stint.model.document;

import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Writes trees as YAML, in blocks. Text that any version of YAML could misread is quoted as in
 * JSON, which is valid YAML once the characters that only JSON allows are escaped.
 */
public final class YamlWriter {
  /**
   * Text that needs no quotes: it starts with a letter or a slash, and contains no special
   * characters.
   */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z/_][A-Za-z0-9_./+@-]*");

  /**
   * Characters that JSON writes as they are, but YAML 1.1 takes for line breaks or forbids, and the
   * byte order mark.
   */
  private static final Pattern UNPRINTABLE =
      Pattern.compile("[\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]");

  private static final Set<String> WORDS =
      Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf");

  private final StringBuilder out = new StringBuilder();

  private YamlWriter() {}

  /** Returns the tree as text that ends with a line break. */
  public static String text(JsonNode tree) {
    YamlWriter writer = new YamlWriter();
    writer.value(tree, 0, true);
    return writer.out.toString();
  }

  /**
   * @param inPlace whether the value continues the current line
   */
  private void value(JsonNode node, int indent, boolean inPlace) {
    if (node.isObject() && !node.isEmpty()) {
      object(node, indent, inPlace);
    } else if (node.isArray() && !node.isEmpty()) {
      array(node, indent, inPlace);
    } else {
      out.append(inPlace ? "" : " ").append(scalar(node)).append('\n');
    }
  }

  private void object(JsonNode object, int indent, boolean inPlace) {
    boolean first = inPlace;
    if (!inPlace) {
      out.append('\n');
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (!first) {
        out.repeat(' ', indent);
      }
      first = false;
      out.append(text(member.getKey())).append(':');
      value(member.getValue(), indent + (member.getValue().isArray() ? 0 : 2), false);
    }
  }

  private void array(JsonNode array, int indent, boolean inPlace) {
    if (!inPlace) {
      out.append('\n');
    }
    for (Iterator<JsonNode> items = array.iterator(); items.hasNext(); ) {
      out.repeat(' ', indent).append("- ");
      JsonNode item = items.next();
      if (item.isArray() && !item.isEmpty()) {
        out.append('\n'); // A list in a list: rare, and clearer below its dash.
        out.setLength(out.length() - 2);
        array(item, indent + 2, false);
      } else {
        value(item, indent + 2, true);
      }
    }
  }

  private static String scalar(JsonNode node) {
    return node.isString() ? text(node.stringValue()) : node.toString();
  }

  private static String text(String text) {
    boolean plain = PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT));
    return plain ? text : quoted(text);
  }

  private static String quoted(String text) {
    return UNPRINTABLE
        .matcher(JsonNodeFactory.instance.stringNode(text).toString())
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }
}
