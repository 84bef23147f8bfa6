package dev.stint.cli.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cluster.Timers;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.share.Claims;
import dev.stint.embedded.share.ClusterServer;
import dev.stint.embedded.share.HolderInfo;
import dev.stint.embedded.share.JobClaim;
import dev.stint.embedded.share.MachineLimits;
import dev.stint.embedded.share.PodPermissions;
import dev.stint.harness.FakeCluster;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.device.Devices;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.user.InheritedNames;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests of a command to the {@code run} that holds a data directory. */
@Timeout(60)
class HandOverTest {
  private static final String COMMAND = "sun.java.command";
  private static final MachineLimits LIMITS = limits(3, LogLimits.DEFAULT);
  private static final PodPermissions MODELS =
      new PodPermissions(Map.of("models", Path.of("/srv")), List.of(), false);

  @TempDir private Path directory;
  private final AtomicInteger asked = new AtomicInteger();
  private final String command = System.getProperty(COMMAND, "");

  @BeforeEach
  void nameTheHolder() {
    System.setProperty(COMMAND, "dev.stint.cli.Main -v run job.yaml");
  }

  @AfterEach
  void restoreTheName() {
    System.setProperty(COMMAND, command);
  }

  private static MachineLimits limits(int maxPods, LogLimits logs) {
    return new MachineLimits(
        maxPods, 2000, 1 << 30, Devices.NONE, RunnerOptions.DEFAULT_INPUTS_TIMEOUT, logs);
  }

  private static HolderInfo info(String name, PodPermissions permissions) {
    return new HolderInfo(7, name, RuntimeKind.process.name(), "", LIMITS, permissions);
  }

  private ClusterServer serve(PodPermissions permissions) throws Exception {
    Claims claims =
        new Claims(
            new Claims.Listener() {
              @Override
              public void onClaim(List<JobClaim> claimed) {}

              @Override
              public CompletableFuture<?> onLeave(List<JobClaim> left) {
                return CompletableFuture.completedFuture(null);
              }
            });
    return ClusterServer.open(
        directory,
        info("run", permissions),
        new FakeCluster(Runnable::run, InstantSource.system()),
        claims,
        (_, _) -> () -> {},
        asked::incrementAndGet);
  }

  private TakeOver takeOver(PodPermissions permissions, Runnable beforeAsking) {
    return new TakeOver(
        Console.ofProcess(),
        DataLocation.of(directory, Map.of()),
        info("up", permissions),
        beforeAsking);
  }

  @Test
  void aHolderIsAskedOnceAndItsLockIsLookedAtNowAndThen() throws Exception {
    DataDirectory locked = DataDirectory.open(directory);
    AtomicInteger pauses = new AtomicInteger();
    Timers timers =
        (delay, task) -> {
          if (delay.equals(TakeOver.PAUSE)) {
            if (pauses.incrementAndGet() == 10) {
              locked.close();
            }
            task.run();
          }
          return () -> {};
        };
    AtomicInteger before = new AtomicInteger();
    try (ClusterServer server = serve(PodPermissions.NONE);
        DataDirectory taken = takeOver(MODELS, before::incrementAndGet).open(timers)) {
      assertThat(server).isNotNull();
      assertThat(taken.path()).isEqualTo(directory);
    }
    assertThat(pauses).hasValue(10);
    assertThat(before).hasValue(1);
  }

  @Test
  void nobodyHandsOverToACommandWhosePodsWouldGetOtherDirectories() throws Exception {
    try (DataDirectory locked = DataDirectory.open(directory);
        ClusterServer server = serve(MODELS)) {
      assertThat(locked).isNotNull();
      assertThat(server).isNotNull();
      assertThatThrownBy(() -> takeOver(PodPermissions.NONE, () -> {}).open())
          .isInstanceOf(UserException.class)
          .hasMessage(
              directory
                  + " is in use by stint run (pid 7), whose Jobs go on only with --volume-dir"
                  + " models=/srv; give it to this command too, wait until that one exits, or"
                  + " choose another directory with --data");
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void nobodyHandsOverToACommandThatCannotServe() throws Exception {
    Runnable portIsTaken =
        () -> {
          throw new UserException("--listen 127.0.0.1:6443: Address already in use");
        };
    try (DataDirectory locked = DataDirectory.open(directory);
        ClusterServer server = serve(PodPermissions.NONE)) {
      assertThat(locked).isNotNull();
      assertThat(server).isNotNull();
      assertThatThrownBy(() -> takeOver(PodPermissions.NONE, portIsTaken).open())
          .hasMessageStartingWith("--listen ");
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void flagsThatHoldFromNowOnAreTold() {
    HolderInfo run = info("run", PodPermissions.NONE);
    assertThat(TakeOver.changes(run, info("up", PodPermissions.NONE))).isEmpty();
    HolderInfo up = new HolderInfo(8, "up", "process", "", limits(9, LogLimits.DEFAULT), MODELS);
    assertThat(TakeOver.changes(run, up))
        .isEqualTo(", with --volume-dir models=/srv, within the limits of this command");
    LogLimits shorter = new LogLimits(LogLimits.DEFAULT.attemptBytes(), Duration.ofDays(1), 1);
    HolderInfo forgetful =
        new HolderInfo(8, "up", "process", "", limits(3, shorter), PodPermissions.NONE);
    assertThat(TakeOver.changes(run, forgetful)).isEqualTo(", within the limits of this command");
  }

  private SharedDirectory join(PodPermissions permissions) {
    PodOptions pods =
        new NodeOptions().pods(InheritedNames.ALL).with(Optional.empty()).with(permissions);
    return SharedDirectory.open(
        Console.ofProcess(),
        new MachineOptions(
            DataLocation.of(directory, Map.of()),
            RuntimeKind.process,
            10,
            new NodeOptions().store(),
            EncryptionConfiguration.NONE,
            pods,
            ControllerOptions.defaults(),
            pods.surroundings(Map.of()),
            List.of()));
  }

  @Test
  void aCommandDoesNotJoinOneWhosePodsWouldGetOtherDirectories() throws Exception {
    try (DataDirectory locked = DataDirectory.open(directory);
        ClusterServer server = serve(PodPermissions.NONE)) {
      assertThat(locked).isNotNull();
      assertThat(server).isNotNull();
      assertThatThrownBy(() -> join(MODELS))
          .isInstanceOf(UserException.class)
          .hasMessage(
              directory
                  + " is in use by stint run (pid 7), whose pods run without --volume-dir"
                  + " models=/srv; give it to that command, wait until that one exits, or choose"
                  + " another directory with --data");
    }
  }

  @Test
  void aCommandJoinsOneThatGivesItsPodsTheSame() throws Exception {
    try (DataDirectory locked = DataDirectory.open(directory);
        ClusterServer server = serve(MODELS);
        SharedDirectory same = join(MODELS);
        SharedDirectory less = join(PodPermissions.NONE)) {
      assertThat(locked).isNotNull();
      assertThat(server).isNotNull();
      assertThat(same.isShared()).isTrue();
      assertThat(less.isShared()).isTrue();
    }
  }
}
