package dev.stint.cli.follow;

import dev.stint.cli.output.OutputFormat;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options that say how the Jobs of a {@code run} are followed and reported.
 *
 * @param timeout the time in which they must end; null for any time
 * @param output the format of the Jobs on standard output in the end
 * @param follow true to print the logs as they are written
 * @param failFast true to stop all Jobs as soon as one has failed
 * @param junit the file for a report in JUnit's format; null for none
 * @param repeatable true if the same command goes on with the same Jobs
 */
public record FollowOptions(
    @Nullable Duration timeout,
    OutputFormat output,
    boolean follow,
    boolean failFast,
    @Nullable Path junit,
    boolean repeatable) {

  /** Returns the options for Jobs that may take any time. */
  public static FollowOptions of(OutputFormat output) {
    return new FollowOptions(null, output, false, false, null, true);
  }
}
