package dev.stint.apiserver.audit;

import java.io.IOException;

/** The place where the lines of the audit log go. Used by one thread at a time. */
interface AuditSink extends AutoCloseable {
  /**
   * Takes a line, which may be written only by the next {@link #flush}.
   *
   * @param rationed true if the line may be left out, so that lines of its sort do not fill the
   *     place
   * @return false if it was left out
   * @throws IOException if lines since the last flush could not be written, none of which remains
   */
  boolean write(byte[] line, boolean rationed) throws IOException;

  /**
   * Writes all lines.
   *
   * @throws IOException if lines since the last flush could not be written, none of which remains
   */
  void flush() throws IOException;

  @Override
  void close() throws IOException;
}
