package dev.stint.bench.mutation;

import static dev.stint.bench.mutation.JsonMutations.pick;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.random.RandomGenerator;

/** Changes of bytes and lines that know nothing of their meaning. */
final class TextMutations {
  private static final List<String> YAML =
      List.of(
          "&a ",
          "*a ",
          "*m",
          "!!binary ",
          "!!int x",
          "!!java.net.URL ",
          "!<tag:x> ",
          "---\n",
          "...\n",
          "\t",
          "? ",
          ": ",
          "- ",
          "<<: *m\n",
          "%YAML 9.9\n",
          "{",
          "[",
          "|\n",
          ">\n",
          "\"",
          "'",
          "#",
          "~",
          ".inf",
          ".nan",
          "0o17",
          "0x1F",
          "1_000",
          "2001-01-01",
          "yes",
          "\u0085",
          "\u2028",
          "\uFEFF",
          "a: &a [*a]\n",
          "\0",
          "? [a]: b\n",
          "@",
          "`");

  private TextMutations() {}

  static byte[] bytes(byte[] body, RandomGenerator random) {
    byte[] changed = body;
    for (int times = 1 + random.nextInt(4); times > 0; times--) {
      changed = byteChanged(changed, random);
    }
    return changed;
  }

  private static byte[] byteChanged(byte[] body, RandomGenerator random) {
    int at = body.length == 0 ? 0 : random.nextInt(body.length);
    int length = Math.min(body.length - at, random.nextInt(20));
    byte[] other = new byte[1 + random.nextInt(6)];
    random.nextBytes(other);
    return switch (random.nextInt(6)) {
      case 0 -> joined(body, at, other, at + Math.min(1, body.length - at));
      case 1 -> joined(body, at, other, at);
      case 2 -> joined(body, at, new byte[0], at + length);
      case 3 -> joined(body, at, new byte[0], body.length);
      case 4 ->
          joined(
              body, at + length, java.util.Arrays.copyOfRange(body, at, at + length), at + length);
      default ->
          joined(
              body,
              at,
              new byte[] {
                pick(
                    List.of((byte) 0, (byte) '"', (byte) '{', (byte) ']', (byte) ',', (byte) -1),
                    random)
              },
              at);
    };
  }

  private static byte[] joined(byte[] body, int head, byte[] middle, int tail) {
    byte[] all = new byte[head + middle.length + body.length - tail];
    System.arraycopy(body, 0, all, 0, head);
    System.arraycopy(middle, 0, all, head, middle.length);
    System.arraycopy(body, tail, all, head + middle.length, body.length - tail);
    return all;
  }

  /** Puts a piece of YAML anywhere, or takes a line away, doubles or indents it. */
  static byte[] yaml(byte[] body, RandomGenerator random) {
    String text = new String(body, java.nio.charset.StandardCharsets.UTF_8);
    if (random.nextInt(3) == 0) {
      List<String> lines = new java.util.ArrayList<>(text.lines().toList());
      if (!lines.isEmpty()) {
        int at = random.nextInt(lines.size());
        switch (random.nextInt(4)) {
          case 0 -> lines.remove(at);
          case 1 -> lines.add(at, lines.get(at));
          case 2 -> lines.set(at, " " + lines.get(at));
          default -> lines.set(at, lines.get(at).strip());
        }
      }
      return String.join("\n", lines).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
    int at = random.nextInt(text.length() + 1);
    int times = random.nextInt(20) == 0 ? 1 + random.nextInt(3000) : 1;
    return (text.substring(0, at) + pick(YAML, random).repeat(times) + text.substring(at))
        .getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Changes characters of a text that stays printable ASCII without spaces, as in a target. */
  static String target(String text, RandomGenerator random) {
    byte[] changed = bytes(text.getBytes(ISO_8859_1), random);
    StringBuilder ascii = new StringBuilder();
    for (byte each : changed) {
      int code = each & 0xFF;
      if (code > ' ' && code < 127 && code != '#') {
        ascii.append((char) code);
      } else {
        ascii.append("%%%02X".formatted(code));
      }
    }
    return ascii.toString();
  }
}
