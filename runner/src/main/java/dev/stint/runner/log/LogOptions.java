package dev.stint.runner.log;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to show of a log.
 *
 * @param follow whether to go on until the container ends
 * @param timestamps whether each line starts with its time
 * @param tailLines how many of the last lines; null for all
 * @param since lines from then on; null for all
 * @param limitBytes how many bytes at most, so that the last line may be cut; null for all
 * @param streams which of the streams
 */
public record LogOptions(
    boolean follow,
    boolean timestamps,
    @Nullable Long tailLines,
    @Nullable Instant since,
    @Nullable Long limitBytes,
    Set<LogStream> streams) {
  /** All there is, plainly. */
  public static final LogOptions ALL =
      new LogOptions(false, false, null, null, null, Set.of(LogStream.values()));
}
