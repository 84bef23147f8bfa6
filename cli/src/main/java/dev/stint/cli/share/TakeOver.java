package dev.stint.cli.share;

import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import dev.stint.embedded.share.ClusterClient;
import dev.stint.embedded.share.HolderInfo;
import dev.stint.embedded.share.OtherVersionException;
import dev.stint.embedded.share.SilentHolderException;
import dev.stint.jobs.ApiCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * The way in which an {@code up} gets a data directory that a {@code run} holds: it asks for it.
 * The {@code run} then joins the {@code up}, and so do all that have joined the {@code run}.
 */
public final class TakeOver {
  /** Matches commands that hand a directory over, in its lock. */
  private static final Pattern YIELDS = Pattern.compile("Main (run|rerun)\\b");

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(2);

  private final Console console;
  private final DataLocation data;
  private final RuntimeKind runtime;
  private final EncryptionConfiguration encryption;
  private boolean told;

  /**
   * @param runtime how this command runs pods
   * @param encryption the configuration with which this command encrypts objects
   */
  public TakeOver(
      Console console, DataLocation data, RuntimeKind runtime, EncryptionConfiguration encryption) {
    this.console = console;
    this.data = data;
    this.runtime = runtime;
    this.encryption = encryption;
  }

  /**
   * Opens the directory, after its holder has handed it over.
   *
   * @throws DataDirectoryException if it is in use by a command that keeps it, or can't be used
   * @throws UserException if this command can't go on with the Jobs of the holder
   */
  public DataDirectory open() throws DataDirectoryException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (ThreadTimers timers = new ThreadTimers()) {
      while (true) {
        try {
          return data.open();
        } catch (DataDirectoryException refused) {
          String holder = refused.holder();
          if (holder == null || !YIELDS.matcher(holder).find() || System.nanoTime() - end > 0) {
            throw refused;
          }
          ask(holder, timers);
        }
        LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
      }
    }
  }

  private void ask(String holder, ThreadTimers timers) {
    try (ClusterClient client = ClusterClient.connect(data.path(), timers)) {
      check(client.holder());
      ApiCalls.await(client.takeOver());
      if (!told) {
        told = true;
        console.say("%s hands %s over; its Jobs go on".formatted(client.holder(), data.path()));
      }
    } catch (OtherVersionException other) {
      throw data.otherVersion();
    } catch (SilentHolderException silent) {
      throw data.silent(holder);
    } catch (IOException | ClusterException passing) {
      return; // It starts, or ends.
    }
  }

  private void check(HolderInfo holder) {
    if (!holder.runtime().equals(runtime.name())) {
      throw new UserException(
          "%s is in use by %s, which runs pods with --runtime %s, not %s; wait until it exits, or choose another directory with --data"
              .formatted(data.path(), holder, holder.runtime(), runtime));
    }
    SharedDirectory.checkEncryption(data.path(), holder, encryption);
  }
}
