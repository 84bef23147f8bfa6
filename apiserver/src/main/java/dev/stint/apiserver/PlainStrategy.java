package dev.stint.apiserver;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/** Kinds of which the API asks nothing but a name: Event, ConfigMap. */
class PlainStrategy implements Strategy {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final Pattern DNS_SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
  private static final int MAX_NAME = 253;

  private final Kind kind;

  PlainStrategy(Kind kind) {
    this.kind = kind;
  }

  @Override
  public final Kind kind() {
    return kind;
  }

  @Override
  public List<FieldError> validateCreate(ObjectNode object) {
    String name = Json.text(Metadata.of(object), "name");
    if (name == null || (name.length() <= MAX_NAME && DNS_SUBDOMAIN.matcher(name).matches())) {
      return List.of();
    }
    String detail =
        "Invalid value: \""
            + name
            + "\": must be lower case letters, digits, '-' and '.', start and end with a letter or"
            + " digit, and have at most 253 characters";
    return List.of(new FieldError("metadata.name", FieldError.Type.INVALID, detail));
  }

  @Override
  public List<FieldError> validateUpdate(ObjectNode before, ObjectNode after) {
    return List.of();
  }
}
