package dev.stint.cli.output;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of our own lines: printed text passes {@link TerminalText}. Bytes pass as they are,
 * since {@code stint logs} writes what a pod has written. {@code println} of a subclass prints.
 */
final class TerminalStream extends PrintStream {
  private TerminalStream(PrintStream out) {
    super(out, false, out.charset());
  }

  static PrintStream around(PrintStream out) {
    return out instanceof TerminalStream ? out : new TerminalStream(out);
  }

  @Override
  public void print(@Nullable String text) {
    super.print(TerminalText.printed(String.valueOf(text)));
  }

  @Override
  public void print(@Nullable Object value) {
    print(String.valueOf(value));
  }
}
