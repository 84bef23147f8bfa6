package dev.stint.jobs.attempts;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The beginnings of a log's lines. The rest of a long line is dropped as it comes, since a line may
 * be larger than the memory. Of a long line with carriage returns, the beginning is what a terminal
 * would still show: the text after one of the last.
 */
final class LineBeginnings implements LogSource.Out {
  /** The bytes of a line that are kept: more than its first 500 characters, in any script. */
  static final int LONGEST = 2 << 10;

  private final List<String> ended = new ArrayList<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  /** True after a carriage return in a line that is full. */
  private boolean isOverwritten;

  @Override
  public void write(byte[] piece) {
    for (byte next : piece) {
      if (next == '\n') {
        ended.addAll(unended());
        line.reset();
        isOverwritten = false;
      } else {
        add(next);
      }
    }
  }

  private void add(byte next) {
    if (isOverwritten) {
      line.reset();
      isOverwritten = false;
    }
    if (line.size() < LONGEST) {
      line.write(next);
    } else {
      isOverwritten = next == '\r';
    }
  }

  /** Returns all lines. The last one may lack its end. */
  List<String> all() {
    return line.size() == 0
        ? List.copyOf(ended)
        : Stream.concat(ended.stream(), unended().stream()).toList();
  }

  /** Returns the present line; carriage returns end lines, too. */
  private List<String> unended() {
    return (line.toString(StandardCharsets.UTF_8) + "\n").lines().toList();
  }
}
