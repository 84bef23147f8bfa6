package dev.stint.runner.env;

/** Measures texts without encoding them. */
public final class Utf8 {
  private Utf8() {}

  /** Returns the length of a text in bytes of UTF-8. */
  public static long length(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each >= 0x80) {
        // Both halves of a surrogate pair together take four bytes.
        bytes += each < 0x800 || Character.isSurrogate(each) ? 1 : 2;
      }
    }
    return bytes;
  }
}
