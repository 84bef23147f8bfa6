package dev.stint.cli.share;

import dev.stint.cli.location.DataLocation;
import dev.stint.cli.location.DirectoryHolder;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import dev.stint.embedded.share.ClusterClient;
import dev.stint.embedded.share.HolderInfo;
import dev.stint.embedded.share.MachineLimits;
import dev.stint.embedded.share.OtherVersionException;
import dev.stint.embedded.share.SilentHolderException;
import dev.stint.jobs.ApiCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way in which an {@code up} gets a data directory that a {@code run} holds: it asks for it.
 * The {@code run} then joins the {@code up}, and so do all that have joined the {@code run}.
 */
public final class TakeOver {
  /** The pause between two looks at the lock. */
  static final Duration PAUSE = Duration.ofMillis(20);

  /** The number of pauses, half a minute in all, after which the holder keeps the directory. */
  private static final int MOST_PAUSES = 1500;

  private final Console console;
  private final DataLocation data;
  private final HolderInfo own;
  private final Runnable beforeAsking;

  /** The holder that has agreed to hand over, as its lock names it. */
  private @Nullable String asked;

  /**
   * @param own this command, as it introduces itself when it holds the directory
   * @param beforeAsking reserves what this command cannot do without, so that no holder hands over
   *     in vain; may be called again
   */
  public TakeOver(Console console, DataLocation data, HolderInfo own, Runnable beforeAsking) {
    this.console = console;
    this.data = data;
    this.own = own;
    this.beforeAsking = beforeAsking;
  }

  /**
   * Opens the directory, after its holder has handed it over.
   *
   * @throws DataDirectoryException if it is in use by a command that keeps it, or cannot be used
   * @throws UserException if this command cannot go on with the Jobs of the holder
   */
  public DataDirectory open() throws DataDirectoryException {
    try (ThreadTimers timers = new ThreadTimers()) {
      return open(timers);
    }
  }

  DataDirectory open(Timers timers) throws DataDirectoryException {
    for (int pauses = 0; true; pauses++) {
      try {
        return data.open();
      } catch (DataDirectoryException refused) {
        String holder = refused.holder();
        if (holder == null || !new DirectoryHolder(holder).handsOver() || pauses == MOST_PAUSES) {
          throw refused;
        }
        if (!holder.equals(asked)) {
          ask(holder, timers);
        }
      }
      pause(timers);
    }
  }

  private static void pause(Timers timers) {
    CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
    timers.after(PAUSE, () -> over.complete(null));
    over.join();
  }

  private void ask(String holder, Timers timers) {
    try (ClusterClient client = ClusterClient.connect(data.path(), timers)) {
      check(data.path(), client.holder(), own);
      beforeAsking.run();
      ApiCalls.await(client.takeOver());
      asked = holder;
      console.say(
          "%s hands %s over; its Jobs go on%s"
              .formatted(client.holder(), data.path(), changes(client.holder(), own)));
    } catch (OtherVersionException other) {
      throw data.otherVersion();
    } catch (SilentHolderException silent) {
      throw data.silent(holder);
    } catch (IOException | ClusterException passing) {
      return; // It starts, or ends.
    }
  }

  /** Checks that a command can go on with the Jobs of a holder as they began. */
  private static void check(Path data, HolderInfo holder, HolderInfo own) {
    if (!holder.runtime().equals(own.runtime())) {
      throw new UserException(
          "%s is in use by %s, which runs pods with --runtime %s, not %s; wait until it exits, or choose another directory with --data"
              .formatted(data, holder, holder.runtime(), own.runtime()));
    }
    SharedDirectory.checkEncryption(data, holder, own.encryption());
    List<String> missing = holder.permissions().missingIn(own.permissions());
    if (!missing.isEmpty()) {
      throw new UserException(
          "%s is in use by %s, whose Jobs go on only with %s; give it to this command too, wait until that one exits, or choose another directory with --data"
              .formatted(data, holder, ShellQuoting.quoted(missing)));
    }
  }

  /** Returns the flags of a command that hold for the Jobs of a holder from now on, in words. */
  static String changes(HolderInfo holder, HolderInfo own) {
    List<String> flags = own.permissions().claimsUnlike(holder.permissions());
    MachineLimits before = holder.limits();
    MachineLimits after = own.limits();
    String directories = flags.isEmpty() ? "" : ", with " + ShellQuoting.quoted(flags);
    return before == null || after == null || before.equals(after)
        ? directories
        : directories + ", within the limits of this command";
  }
}
