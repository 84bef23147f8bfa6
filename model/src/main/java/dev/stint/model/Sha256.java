package dev.stint.model;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests by SHA-256, which every Java platform has. */
public final class Sha256 {
  private Sha256() {}

  /** Returns a digest of what it is going to be given. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  /** Returns the digest of a text or file, 32 bytes. */
  public static byte[] of(byte[] content) {
    return begin().digest(content);
  }

  /** Returns the digest in lower-case hexadecimal digits. */
  public static String hex(byte[] content) {
    return HexFormat.of().formatHex(of(content));
  }
}
