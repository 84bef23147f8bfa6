package dev.stint.apiserver.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.store.Entry;

/** Refuses values that could not be decrypted when they were read from disk. */
public final class EncryptedValues {
  private static final int LONGEST_PREFIX = 256;

  private EncryptedValues() {}

  /**
   * Returns the document of an entry.
   *
   * @throws ClusterException {@code INTERNAL} if it could not be decrypted; the message says what
   *     to do
   */
  public static byte[] readable(Entry entry) {
    byte[] value = entry.value();
    if (EncryptionProvider.isEncrypted(value)) {
      throw new ClusterException(
          Reason.INTERNAL, "Internal error occurred: " + advice(entry.key(), value));
    }
    return value;
  }

  /** Says why a value cannot be read, and what to do. */
  static String advice(String key, byte[] value) {
    String start = new String(value, 0, Math.min(value.length, LONGEST_PREFIX), UTF_8);
    String[] parts = start.split(":", 6);
    String with =
        parts.length == 6 ? "by %s with the key \"%s\"".formatted(parts[2], parts[4]) : "";
    return ("cannot decrypt %s: it is encrypted %s, which is missing or has another secret; "
            + "add the key to the file of --encryption-provider-config")
        .formatted(key, with.isEmpty() ? "with a key" : with);
  }
}
