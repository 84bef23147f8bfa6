package dev.stint.apiserver.audit;

import dev.stint.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The form of one event in the audit log, by {@code --audit-log-format}. */
public enum AuditFormat {
  /** An event is one line of JSON. */
  JSON {
    @Override
    String text(ObjectNode event) {
      return new String(Json.bytes(event), StandardCharsets.UTF_8);
    }
  },

  /** An event is one line of names and values. */
  LEGACY {
    @Override
    String text(ObjectNode event) {
      StringBuilder line = new StringBuilder(at(event, "/stageTimestamp")).append(" AUDIT:");
      put(line, "id", at(event, "/auditID"), "");
      put(line, "stage", at(event, "/stage"), "");
      put(line, "ip", at(event, "/sourceIPs/0"), "<unknown>");
      put(line, "method", at(event, "/verb"), "");
      put(line, "user", at(event, "/user/username"), "<none>");
      line.append(" groups=").append(list(event.at("/user/groups"), "<none>"));
      put(line, "as", at(event, "/impersonatedUser/username"), "<self>");
      line.append(" asgroups=").append(list(event.at("/impersonatedUser/groups"), "<lookup>"));
      put(line, "user-agent", at(event, "/userAgent"), "");
      put(line, "namespace", at(event, "/objectRef/namespace"), "<none>");
      put(line, "uri", at(event, "/requestURI"), "");
      put(line, "response", at(event, "/responseStatus/code"), "<deferred>");
      event
          .at("/annotations")
          .properties()
          .forEach(note -> put(line, note.getKey(), note.getValue().asString(""), ""));
      return line.toString();
    }
  };

  abstract String text(ObjectNode event);

  /** Returns the line of an event, with its end. */
  byte[] line(ObjectNode event) {
    return (text(event) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static String at(ObjectNode event, String pointer) {
    return event.at(pointer).asString("");
  }

  private static void put(StringBuilder line, String name, String value, String none) {
    line.append(' ').append(name).append('=').append(quoted(value.isEmpty() ? none : value));
  }

  private static String list(JsonNode values, String none) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(quoted(value.asString(""))));
    return texts.isEmpty() ? quoted(none) : String.join(",", texts);
  }

  private static String quoted(String text) {
    return Json.text(text).toString();
  }
}
