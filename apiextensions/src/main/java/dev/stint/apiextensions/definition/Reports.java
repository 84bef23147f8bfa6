package dev.stint.apiextensions.definition;

import com.google.re2j.Pattern;
import dev.stint.apiextensions.schema.Keywords;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Faults of members, with their values, in the words of Kubernetes. */
final class Reports {
  private static final Pattern DNS_1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
  private static final int LABEL = 63;

  private Reports() {}

  static void invalid(Keywords at, String member, String detail) {
    add(at, member, FieldError.Type.INVALID, detail, at.tree().get(member));
  }

  static void add(
      Keywords at, String member, FieldError.Type type, String detail, @Nullable JsonNode value) {
    at.faults().addAll(List.of(new FieldError(at.at(member), type, detail, value)));
  }

  static void notOneOf(Keywords at, String member, List<String> supported) {
    add(
        at,
        member,
        FieldError.Type.NOT_SUPPORTED,
        "supported values: \"" + String.join("\", \"", supported) + '"',
        at.tree().get(member));
  }

  static void required(Keywords at, String member, String detail) {
    add(at, member, FieldError.Type.REQUIRED, detail, null);
  }

  /** Checks a label of RFC 1035. */
  static void label(Keywords at, String member, String text) {
    if (text.length() > LABEL) {
      add(
          at,
          member,
          FieldError.Type.INVALID,
          "must be no more than 63 characters",
          Json.text(text));
    }
    if (!DNS_1035.matches(text)) {
      add(
          at,
          member,
          FieldError.Type.INVALID,
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with"
              + " an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',"
              + "  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
          Json.text(text));
    }
  }
}
