package dev.stint.cli.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.share.JobClaim;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobInterruption;
import dev.stint.runner.process.user.InheritedNames;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TakeoverTest {
  @TempDir private Path directory;

  private MachineOptions options() {
    NodeOptions node = new NodeOptions();
    PodOptions pods = node.pods(InheritedNames.ALL);
    return new MachineOptions(
        DataLocation.of(directory, Map.of()),
        RuntimeKind.simulated,
        10,
        node.store(),
        EncryptionConfiguration.NONE,
        pods,
        ControllerOptions.defaults(),
        pods.surroundings(Map.of()),
        List.of());
  }

  private SharedDirectory open() {
    return SharedDirectory.open(Console.ofProcess(), options());
  }

  @Test
  void aHolderWorksOnlyOnceItHasStarted() {
    try (SharedDirectory holder = open()) {
      assertThat(holder.isWorking()).isFalse();
      holder.interruptNow();
      holder.start();
      assertThat(holder.isWorking()).isTrue();
    }
  }

  @Test
  void aSuccessorWorksAtOnceSinceItMayWaitForItsOwnController() throws Exception {
    SharedDirectory holder = open();
    try (SharedDirectory guest = open();
        ThreadTimers timers = new ThreadTimers()) {
      assertThat(guest.isWorking()).isTrue();
      guest
          .claim(List.of(new JobClaim("default", "a", "one", false, options().surroundings())))
          .get(1, TimeUnit.MINUTES);
      ApiCalls.await(guest.cluster().create(JobBuilder.named("a").build()));
      JobInterruption.begin(guest.cluster(), TestWorld.job("a"));
      holder.close();
      JobInterruption.awaitEnd(guest.cluster(), TestWorld.job("a"), timers, new SplittableRandom(1))
          .get(1, TimeUnit.MINUTES);
      assertThat(guest.isWorking()).isTrue();
      guest.start();
    }
  }
}
