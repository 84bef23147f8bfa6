package dev.stint.model.item;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Texts of any bytes, such as names of files. A byte that is no UTF-8 is a lone low surrogate,
 * {@code U+DC80} to {@code U+DCFF}, which no valid text contains, so that nothing is lost.
 */
public final class ItemText {
  /** The decoder writes it for what is no UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private static final char FIRST_RAW = '\uDC80';
  private static final char LAST_RAW = '\uDCFF';
  private static final int RAW_BASE = 0xDC00;

  private ItemText() {}

  /** Returns the text of some bytes. */
  public static String of(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.indexOf(REPLACEMENT) < 0 ? text : ofAny(bytes);
  }

  private static String ofAny(byte[] bytes) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    while (true) {
      CoderResult result = decoder.decode(in, out, true);
      if (!result.isError()) {
        return out.flip().toString();
      }
      for (int i = 0; i < result.length(); i++) {
        out.put((char) (RAW_BASE + Byte.toUnsignedInt(in.get())));
      }
    }
  }

  /** Returns the bytes of a text: the inverse of {@link #of}. */
  public static byte[] bytes(String text) {
    int raw = nextRaw(text, 0);
    if (raw == text.length()) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length() + 16);
    int at = 0;
    while (raw < text.length()) {
      bytes.writeBytes(text.substring(at, raw).getBytes(StandardCharsets.UTF_8));
      bytes.write(text.charAt(raw) - RAW_BASE);
      at = raw + 1;
      raw = nextRaw(text, at);
    }
    bytes.writeBytes(text.substring(at).getBytes(StandardCharsets.UTF_8));
    return bytes.toByteArray();
  }

  /** True if a text holds bytes that are no UTF-8. */
  public static boolean isRaw(String text) {
    return nextRaw(text, 0) < text.length();
  }

  /**
   * Returns a text for people, in one line: bytes that are no UTF-8, and control characters, look
   * like {@code \xe9}.
   */
  public static String display(String text) {
    if (isPlain(text)) {
      return text;
    }
    StringBuilder display = new StringBuilder();
    int raw = nextRaw(text, 0);
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (i == raw) {
        display.append("\\x%02x".formatted(each - RAW_BASE));
        raw = nextRaw(text, i + 1);
      } else if (Character.isISOControl(each)) {
        display.append("\\x%02x".formatted((int) each));
      } else {
        display.append(each);
      }
    }
    return display.toString();
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (Character.isISOControl(each) || Character.isSurrogate(each)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the position of the next byte that is no UTF-8; the length if there is none. */
  private static int nextRaw(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      char each = text.charAt(i);
      if (Character.isHighSurrogate(each)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (each >= FIRST_RAW && each <= LAST_RAW) {
        return i;
      }
    }
    return text.length();
  }
}
