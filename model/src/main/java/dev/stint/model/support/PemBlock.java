package dev.stint.model.support;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * One block of PEM text.
 *
 * @param der the decoded base64 text
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PemBlock(String type, byte[] der) {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";
  private static final String KEY = "PRIVATE KEY";

  boolean isPrivateKey() {
    return type.equals(KEY) || type.endsWith(" " + KEY);
  }

  /** Returns the blocks of a text. Each line is read once, or twice if a block ends early. */
  static List<PemBlock> of(byte[] pem) {
    List<String> lines = List.of(new String(pem, StandardCharsets.ISO_8859_1).split("\n", -1));
    List<PemBlock> blocks = new ArrayList<>();
    int at = 0;
    while (at < lines.size()) {
      String begin = lines.get(at++).stripTrailing();
      if (begin.length() < BEGIN.length() + DASHES.length()
          || !begin.startsWith(BEGIN)
          || !begin.endsWith(DASHES)) {
        continue;
      }
      String type = begin.substring(BEGIN.length(), begin.length() - DASHES.length());
      at = afterHeaders(lines, at);
      StringBuilder body = new StringBuilder();
      while (at < lines.size() && isBase64(lines.get(at), lines.get(at).length())) {
        body.append(lines.get(at++));
      }
      String last = at < lines.size() ? lines.get(at) : "";
      int end = last.indexOf(END);
      if (end >= 0 && isBase64(last, end) && last.startsWith(type + DASHES, end + END.length())) {
        add(type, body.append(last, 0, end).toString(), blocks);
        at++;
      }
    }
    return blocks;
  }

  private static int afterHeaders(List<String> lines, int first) {
    int at = first;
    while (at < lines.size() && lines.get(at).isBlank()) {
      at++;
    }
    while (at < lines.size() && lines.get(at).indexOf(':') > 0) {
      at++;
    }
    return at;
  }

  /** True if the first characters of a line can be part of base64, or are blank. */
  private static boolean isBase64(String line, int length) {
    return line.chars()
        .limit(length)
        .allMatch(c ->
            (c >= 'A' && c <= 'Z')
                || (c >= 'a' && c <= 'z')
                || (c >= '0' && c <= '9')
                || "+/= \t\u000b\f\r".indexOf(c) >= 0);
  }

  private static void add(String type, String body, List<PemBlock> blocks) {
    try {
      blocks.add(new PemBlock(type, Base64.getMimeDecoder().decode(body)));
    } catch (IllegalArgumentException notBase64) {
      // Skipped, as in Go.
    }
  }
}
