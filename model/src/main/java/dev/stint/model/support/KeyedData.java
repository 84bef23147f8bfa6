package dev.stint.model.support;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import java.util.Base64;
import java.util.List;

/** What config maps and secrets have in common: values by keys, 1 MiB of them at most. */
final class KeyedData {
  static final int MOST_BYTES = 1 << 20;

  private KeyedData() {}

  static void keys(At data, Faults faults) {
    data.entries()
        .forEach(entry -> faults.invalidUnlessSound(entry, Formats.configKey(entry.key())));
  }

  static long textBytes(At data) {
    return data.entries().stream().mapToLong(entry -> Formats.bytes(entry.text())).sum();
  }

  static long decodedBytes(At data) {
    return data.entries().stream().mapToLong(entry -> decoded(entry.text())).sum();
  }

  private static long decoded(String base64) {
    return Base64.getDecoder().decode(base64).length;
  }

  /** What is immutable stays so, with all that it holds. To set what is empty is a change too. */
  static void unchanged(At before, At after, List<String> members, Faults faults) {
    if (!before.get("immutable").isTrue()) {
      return;
    }
    if (!after.get("immutable").isTrue()) {
      faults.forbidden(after.get("immutable"), "can't be unset once it is set");
    }
    for (String member : members) {
      At was = before.get(member);
      At is = after.get(member);
      if (was.isEmpty() ? is.exists() : !was.sameAs(is)) {
        faults.forbidden(is, "can't be changed where immutable is set");
      }
    }
  }
}
