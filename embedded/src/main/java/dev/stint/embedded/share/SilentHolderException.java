package dev.stint.embedded.share;

import java.io.IOException;

/** The process that holds a data directory does not answer, as when it was stopped. */
public final class SilentHolderException extends IOException {
  private static final long serialVersionUID = 1L;

  SilentHolderException() {
    super("it does not answer; is it stopped?");
  }
}
