package dev.stint.apiserver.encryption;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A way to store values: encrypted with one key, or as they are.
 *
 * @param prefix the bytes in front of its values, such as {@code k8s:enc:aescbc:v1:key1:}
 * @param cipher null for values as they are
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EncryptionProvider(byte[] prefix, @Nullable ValueCipher cipher) {
  private static final byte[] ANY_PREFIX = "k8s:enc:".getBytes(US_ASCII);

  /** Stores values as they are. */
  static final EncryptionProvider IDENTITY = new EncryptionProvider(new byte[0], null);

  static EncryptionProvider of(String scheme, String key, ValueCipher cipher) {
    String prefix = "k8s:enc:" + scheme + ":v1:" + key + ":";
    return new EncryptionProvider(prefix.getBytes(UTF_8), cipher);
  }

  /** True if a stored value is encrypted. */
  static boolean isEncrypted(byte[] stored) {
    return startsWith(stored, ANY_PREFIX);
  }

  /** True if this provider may have written a value. */
  boolean wrote(byte[] stored) {
    return cipher == null ? !isEncrypted(stored) : startsWith(stored, prefix);
  }

  /** Returns the bytes to store. */
  byte[] encrypt(String key, byte[] plain) throws GeneralSecurityException {
    if (cipher == null) {
      return plain;
    }
    byte[] encrypted = cipher.encrypt(plain, key.getBytes(UTF_8));
    byte[] stored = Arrays.copyOf(prefix, prefix.length + encrypted.length);
    System.arraycopy(encrypted, 0, stored, prefix.length, encrypted.length);
    return stored;
  }

  /** Returns the value in the stored bytes. */
  byte[] decrypt(String key, byte[] stored) throws GeneralSecurityException {
    return cipher == null
        ? stored
        : cipher.decrypt(
            Arrays.copyOfRange(stored, prefix.length, stored.length), key.getBytes(UTF_8));
  }

  private static boolean startsWith(byte[] bytes, byte[] start) {
    return bytes.length >= start.length
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }
}
