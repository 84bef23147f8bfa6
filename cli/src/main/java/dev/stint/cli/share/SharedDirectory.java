package dev.stint.cli.share;

import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.Logging;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import dev.stint.embedded.share.ClaimedJobs;
import dev.stint.embedded.share.ClusterClient;
import dev.stint.embedded.share.EntryPolicy;
import dev.stint.embedded.share.HolderInfo;
import dev.stint.embedded.share.JobClaim;
import dev.stint.embedded.share.MachineLimits;
import dev.stint.embedded.share.OtherVersionException;
import dev.stint.embedded.share.PodPermissions;
import dev.stint.embedded.share.ReconnectingCluster;
import dev.stint.embedded.share.SilentHolderException;
import dev.stint.jobs.ApiCalls;
import dev.stint.runner.spec.ResourceAmount;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A data directory that this command holds or has joined. When its holder ends, this command takes
 * it over, or joins the one that does, and goes on with its Jobs.
 */
public final class SharedDirectory implements Workplace {
  private static final Logger LOG = LoggerFactory.getLogger(SharedDirectory.class);

  private final Console console;
  private final ReconnectingCluster cluster = new ReconnectingCluster();
  private final ThreadTimers timers = new ThreadTimers();
  private final CompletableFuture<String> failure = new CompletableFuture<>();
  private final ClaimedJobs claimed = new ClaimedJobs();

  /** The options, with the limits and permissions of the commands that this one has joined. */
  private MachineOptions options;

  private @Nullable HeldDirectory held;
  private @Nullable ClusterClient joined;
  private boolean started;

  /** True once this command has joined another one. */
  private boolean succeeds;

  /** The way in after a holder that has ended while this command joined it. */
  private @Nullable EntryPolicy anew;

  /** The last refusal that may pass. */
  private @Nullable UserException refusal;

  private volatile boolean closed;

  private SharedDirectory(Console console, MachineOptions options) {
    this.console = console;
    this.options = options;
  }

  /**
   * Takes the directory, or joins the process that holds it.
   *
   * @throws UserException if neither is possible
   */
  public static SharedDirectory open(Console console, MachineOptions options) {
    SharedDirectory directory = new SharedDirectory(console, options);
    try {
      directory.enter(EntryPolicy.OPEN);
      return directory;
    } catch (RuntimeException refused) {
      directory.timers.close();
      throw refused;
    }
  }

  private synchronized void enter(EntryPolicy first) {
    EntryPolicy entry = first;
    while (entry != null) {
      refusal = null;
      anew = null;
      enter(entry, System.nanoTime());
      entry = anew;
    }
  }

  private void enter(EntryPolicy entry, long begin) {
    while (!closed && anew == null) {
      Duration tried = Duration.ofNanos(System.nanoTime() - begin);
      if (entry.mayTakeLock(tried) ? takeOrJoin(entry.isOver(tried)) : join("the next command")) {
        return;
      }
      LockSupport.parkNanos(EntryPolicy.PAUSE.toNanos());
    }
  }

  /**
   * Takes the lock, or joins the process that has it; false if that does not serve yet.
   *
   * @param last true if this is the last try
   */
  private boolean takeOrJoin(boolean last) {
    try {
      hold(DataDirectory.open(options.data().path()));
      return true;
    } catch (DataDirectoryException refused) {
      String holder = refused.holder();
      if (holder == null) {
        throw DataLocation.userException(refused);
      }
      boolean joins = join(holder);
      if (!joins && last && anew == null) {
        throw Objects.requireNonNullElseGet(refusal, () -> DataLocation.userException(refused));
      }
      return joins;
    }
  }

  private void hold(DataDirectory directory) {
    if (!Logging.isStarted()) {
      Logging.toFile(options.data().log());
    }
    HeldDirectory opened =
        HeldDirectory.open(console, options, directory, claimed.all(), succeeds, this::handOver);
    held = opened;
    opened.failure().thenAccept(failure::complete);
    ApiCalls.await(claimed.resume(opened.cluster()));
    cluster.connect(opened.cluster());
    // Others may wait for a controller, and so may this command before it starts one.
    if (started || succeeds) {
      started = true;
      start(opened);
    }
  }

  /** Joins the holder; false if it does not serve yet, or any more. */
  private boolean join(String holder) {
    ClusterClient client;
    try {
      client = ClusterClient.connect(options.data().path(), timers);
    } catch (OtherVersionException other) {
      throw options.data().otherVersion();
    } catch (SilentHolderException silent) {
      throw options.data().silent(holder);
    } catch (IOException notYet) {
      return false;
    }
    boolean agrees = false;
    try {
      agrees = agree(client);
    } finally {
      if (!agrees) {
        client.close();
      }
    }
    if (!agrees) {
      return false;
    }
    joined = client;
    options = options.after(client.holder());
    succeeds = true;
    cluster.connect(client);
    client.lost().thenRun(() -> Thread.ofVirtual().start(() -> onLoss(client)));
    return true;
  }

  /**
   * Agrees with the holder on what it does for this command; false if it ends, or if it may agree
   * later.
   *
   * @throws UserException if it never can
   */
  private boolean agree(ClusterClient client) {
    try {
      checkRuntime(client);
      checkTerms(client.holder());
      checkEncryption(options.data().path(), client.holder(), options.encryption().digest());
      ApiCalls.await(claimed.claimAgain(client));
      return true;
    } catch (ClusterException failed) {
      if (ClusterClient.isLoss(failed)) {
        anew = new EntryPolicy(client.handsOver());
        return false;
      }
      refusal = new UserException(String.valueOf(failed.getMessage()));
      if (ClaimedJobs.mayPass(failed)) {
        return false;
      }
      throw refusal;
    }
  }

  private void checkRuntime(ClusterClient client) {
    String runtime = client.holder().runtime();
    if (!runtime.equals(options.runtime().name())) {
      throw new UserException(
          "%s is in use by %s, which runs pods with --runtime %s, not %s; wait until it exits, or choose another directory with --data"
              .formatted(options.data().path(), client.holder(), runtime, options.runtime()));
    }
    if (!options.named().isEmpty() && !started) {
      console.say(
          "%s holds %s: its options apply to all pods, not %s"
              .formatted(
                  client.holder(), options.data().path(), String.join(", ", options.named())));
    }
  }

  /**
   * Checks that pods of this command get what its flags give them, and tells what they get besides.
   */
  private void checkTerms(HolderInfo holder) {
    PodPermissions own = options.pods().permissions();
    List<String> missing = own.missingIn(holder.permissions());
    if (!missing.isEmpty()) {
      throw new UserException(
          "%s is in use by %s, whose pods run without %s; give it to that command, wait until that one exits, or choose another directory with --data"
              .formatted(options.data().path(), holder, ShellQuoting.quoted(missing)));
    }
    List<String> others = holder.permissions().claimsUnlike(own);
    if (!others.isEmpty()) {
      console.say("pods run with %s of %s".formatted(ShellQuoting.quoted(others), holder));
    }
  }

  /**
   * Checks that this command could take over: no object is ever written with other keys.
   *
   * @param digest of the configuration of this command
   */
  static void checkEncryption(Path data, HolderInfo holder, String digest) {
    if (!holder.encryption().equals(digest)) {
      throw new UserException(
          "%s is in use by %s, which encrypts objects with other resources, providers or keys; give the same --encryption-provider-config, or choose another directory with --data"
              .formatted(data, holder));
    }
  }

  private void onLoss(ClusterClient lost) {
    synchronized (this) {
      if (closed || joined != lost) {
        return;
      }
      joined = null;
      goOn(lost.handsOver());
    }
  }

  /** Hands the directory over to another process, and joins it. */
  private synchronized void handOver() {
    HeldDirectory own = held;
    if (own == null || closed || claimed.isInterrupting()) {
      return;
    }
    held = null;
    succeeds = true;
    cluster.disconnect();
    own.handOver();
    goOn(true);
  }

  /**
   * Joins the next holder, or becomes it.
   *
   * @param handedOver true if another process has asked for the directory
   */
  private void goOn(boolean handedOver) {
    try {
      enter(new EntryPolicy(handedOver));
    } catch (UserException | ClusterException refused) {
      fail(String.valueOf(refused.getMessage()));
    } catch (RuntimeException fault) {
      LOG.error("Cannot continue after the process that held the directory has ended", fault);
      fail("cannot continue after the process that held the directory has ended: " + fault);
    }
  }

  private void fail(String why) {
    failure.complete(why);
    cluster.fail(new ClusterException(ClusterException.Reason.UNAVAILABLE, why));
  }

  @Override
  public Cluster cluster() {
    return cluster;
  }

  @Override
  public synchronized ResourceAmount machine() {
    ClusterClient client = joined;
    if (client == null) {
      return options.pods().machine();
    }
    MachineLimits limits = client.holder().limits();
    return limits == null ? ResourceAmount.UNLIMITED : limits.machine();
  }

  @Override
  public CompletableFuture<String> failure() {
    return failure;
  }

  @Override
  public synchronized CompletableFuture<?> claim(List<JobClaim> wanted) {
    claimed.add(wanted);
    HeldDirectory own = held;
    ClusterClient client = joined;
    if (own != null) {
      return own.claim(wanted);
    }
    return client == null
        ? CompletableFuture.completedFuture(null)
        : ClaimedJobs.claim(client, wanted);
  }

  @Override
  public void start() {
    ApiCalls.await(claimed.onSubmission(cluster));
    startHeld();
  }

  private synchronized void startHeld() {
    HeldDirectory own = held;
    if (!started && own != null) {
      start(own);
    }
    started = true;
  }

  private void start(HeldDirectory own) {
    own.start()
        .exceptionally(fault -> {
          failure.complete("cannot adopt the pods of the previous run: " + fault.getMessage());
          return null;
        });
  }

  @Override
  public void onInterruption() {
    claimed.onInterruption();
  }

  @Override
  public synchronized boolean isShared() {
    HeldDirectory own = held;
    return own == null || own.isShared();
  }

  @Override
  public synchronized boolean isWorking() {
    return joined != null || started;
  }

  private synchronized @Nullable HeldDirectory held() {
    return held;
  }

  @Override
  public void interrupt() {
    HeldDirectory own = held();
    if (own != null) {
      own.interrupt();
    }
  }

  @Override
  public void interruptNow() {
    HeldDirectory own = held();
    if (own != null) {
      own.interruptNow();
    }
  }

  @Override
  public void stop() {
    HeldDirectory own = held();
    if (own != null && !own.isShared()) {
      own.stop();
    }
  }

  @Override
  public synchronized void release() {
    ClusterClient client = joined;
    if (client != null) {
      release(client);
    }
  }

  @Override
  public void close() {
    closed = true;
    synchronized (this) {
      ClusterClient client = joined;
      if (client != null) {
        client.close();
      }
      if (held != null) {
        held.close();
      }
      timers.close();
    }
  }

  private static void release(ClusterClient client) {
    try {
      ApiCalls.await(client.release());
    } catch (ClusterException gone) {
      LOG.debug("Cannot leave the holder of the directory, which has ended: {}", gone.getMessage());
    }
  }
}
