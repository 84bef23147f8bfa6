package dev.stint.embedded.share;

import java.io.IOException;

/** The process that holds a data directory is another version of Stint, which cannot be joined. */
public final class OtherVersionException extends IOException {
  private static final long serialVersionUID = 1L;

  OtherVersionException() {
    super("it is another version of Stint");
  }
}
