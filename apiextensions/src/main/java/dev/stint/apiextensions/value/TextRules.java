package dev.stint.apiextensions.value;

import com.google.re2j.Pattern;
import dev.stint.apiextensions.schema.TextLimits;
import dev.stint.model.field.FieldError;
import tools.jackson.databind.JsonNode;

/** Texts have a length in characters (code points), a pattern and a format. */
final class TextRules {
  private TextRules() {}

  static void check(JsonNode value, TextLimits limits, Findings findings) {
    if (limits == TextLimits.NONE) {
      return;
    }
    String text = value.stringValue();
    lengths(text, value, limits, findings);
    Pattern pattern = limits.compiled();
    if (pattern != null && !pattern.matcher(text).find()) {
      findings.invalid("should match '" + limits.pattern() + "'", value);
    }
    if (!limits.format().isEmpty() && !TextFormats.matches(limits.format(), text)) {
      findings.add(
          FieldError.Type.TYPE_INVALID,
          "%s in body must be of type %s: \"%s\""
              .formatted(findings.place(), limits.format(), text),
          value);
    }
  }

  private static void lengths(String text, JsonNode value, TextLimits limits, Findings findings) {
    Long most = limits.maxLength();
    Long least = limits.minLength();
    if (most == null && least == null) {
      return;
    }
    int length = text.codePointCount(0, text.length());
    if (most != null && length > most) {
      findings.add(FieldError.Type.TOO_LONG, "may not be more than " + most + " bytes", null);
    }
    if (least != null && length < least) {
      findings.invalid("should be at least " + least + " chars long", value);
    }
  }
}
