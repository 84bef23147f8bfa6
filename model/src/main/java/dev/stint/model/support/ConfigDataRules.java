package dev.stint.model.support;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.Base64;
import java.util.List;

/** Rules that config maps and secrets share: values by keys, at most 1 MiB in total. */
final class ConfigDataRules {
  static final int MOST_BYTES = 1 << 20;

  private ConfigDataRules() {}

  static void keys(FieldPath data, FieldErrors faults) {
    data.entries()
        .forEach(entry -> faults.invalidUnlessSound(entry, Formats.configKey(entry.key())));
  }

  static long textBytes(FieldPath data) {
    return data.entries().stream().mapToLong(entry -> Formats.bytes(entry.text())).sum();
  }

  static long decodedBytes(FieldPath data) {
    return data.entries().stream().mapToLong(entry -> decoded(entry.text())).sum();
  }

  private static long decoded(String base64) {
    return Base64.getDecoder().decode(base64).length;
  }

  /**
   * Checks that an immutable object stays immutable and unchanged. Setting an empty member is a
   * change too.
   */
  static void unchanged(
      FieldPath before, FieldPath after, List<String> members, FieldErrors faults) {
    if (!before.get("immutable").isTrue()) {
      return;
    }
    if (!after.get("immutable").isTrue()) {
      faults.forbidden(after.get("immutable"), "cannot be unset once it is set");
    }
    for (String member : members) {
      FieldPath was = before.get(member);
      FieldPath is = after.get(member);
      if (was.isEmpty() ? is.exists() : !was.sameAs(is)) {
        faults.forbidden(is, "field is immutable when `immutable` is set");
      }
    }
  }
}
