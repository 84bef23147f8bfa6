package dev.stint.runner.log;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of a log to show.
 *
 * @param follow true to continue until the container ends
 * @param timestamps true to start each line with its time
 * @param tailLines the number of last lines; null for all
 * @param since shows lines from this time on; null for all
 * @param limitBytes the largest number of bytes, so that the last line may be cut; null for all
 * @param streams the streams to show
 */
public record LogOptions(
    boolean follow,
    boolean timestamps,
    @Nullable Long tailLines,
    @Nullable Instant since,
    @Nullable Long limitBytes,
    Set<LogStream> streams) {
  /** Shows the whole log, without times. */
  static final LogOptions ALL =
      new LogOptions(false, false, null, null, null, Set.of(LogStream.values()));
}
