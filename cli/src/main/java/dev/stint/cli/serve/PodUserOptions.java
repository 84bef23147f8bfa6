package dev.stint.cli.serve;

import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.runner.process.ProcessRuntime;
import dev.stint.runner.process.user.PodUser;
import dev.stint.runner.process.user.PodUsers;
import dev.stint.runner.process.user.UserDatabase;
import dev.stint.runner.process.user.UserRange;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the users of this machine that pods run as. */
final class PodUserOptions {
  private static final String FLAG = "--pod-user";
  private static final Pattern RANGE = Pattern.compile("(\\d{1,10})-(\\d{1,10})");

  /** The largest user ID of a pod, as in Kubernetes. */
  private static final long LARGEST = Integer.MAX_VALUE;

  @Option(
      names = FLAG,
      paramLabel = "NAME|FIRST-LAST",
      description =
          "User that processes run as, or a range of user IDs, of which each namespace has its "
              + "own, such as 200000-265535; requires root. Sets --pod-security-default to baseline "
              + "(default: the user that runs stint).")
  @Nullable String given;

  /** True if the option is used. */
  boolean isGiven() {
    return given != null;
  }

  /**
   * Returns the users that pods run as; empty for Stint's own.
   *
   * @param data the data directory, which holds the assignments of a range
   * @throws UserException if the option is invalid, or this machine does not support it
   */
  Optional<PodUsers> users(RuntimeKind runtime, DataLocation data) {
    String value = given;
    if (value == null) {
      return Optional.empty();
    }
    if (runtime != RuntimeKind.process) {
      throw refused("is only for --runtime process; remove it");
    }
    ProcessRuntime.whyNoOtherUsers()
        .ifPresent(why -> {
          throw refused(why);
        });
    Matcher range = RANGE.matcher(value);
    return Optional.of(
        range.matches()
            ? range(Long.parseLong(range.group(1)), Long.parseLong(range.group(2)), data)
            : one(value));
  }

  private static PodUsers one(String name) {
    PodUser user =
        UserDatabase.named(name)
            .orElseThrow(() ->
                refused(
                    "\"%s\" is neither a user in /etc/passwd nor a range such as 200000-265535"
                        .formatted(name)));
    if (user.uid() == 0) {
      throw refused("as root, pods own this machine; name another user");
    }
    return _ -> Optional.of(user);
  }

  private static PodUsers range(long first, long last, DataLocation data) {
    if (first == 0 || last < first || last > LARGEST) {
      throw refused(
          "%d-%d is not a range of user IDs from 1 to %d".formatted(first, last, LARGEST));
    }
    UserDatabase.between(first, last)
        .ifPresent(name -> {
          throw refused(
              "user %s of this machine is in the range %d-%d; choose another"
                  .formatted(name, first, last));
        });
    try {
      return UserRange.open(data.layout().podUsers(), first, last);
    } catch (IOException fault) {
      throw refused(String.valueOf(fault.getMessage()));
    }
  }

  private static UserException refused(String why) {
    return new UserException(FLAG + ": " + why);
  }
}
