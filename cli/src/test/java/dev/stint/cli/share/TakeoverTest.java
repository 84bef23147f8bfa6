package dev.stint.cli.share;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.share.Claims;
import dev.stint.embedded.share.ClusterServer;
import dev.stint.embedded.share.HolderInfo;
import dev.stint.embedded.share.JobClaim;
import dev.stint.embedded.share.PodPermissions;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobInterruption;
import dev.stint.jobs.JobState;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.process.user.InheritedNames;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TakeoverTest {
  private static final EncryptionConfiguration SECRETS =
      EncryptionConfiguration.parse(
          """
          apiVersion: apiserver.config.k8s.io/v1
          kind: EncryptionConfiguration
          resources:
          - resources: [secrets]
            providers:
            - aescbc: {keys: [{name: a, secret: AAAAAAAAAAAAAAAAAAAAAA==}]}
          """
              .getBytes(UTF_8));

  @TempDir private Path directory;

  private MachineOptions options(EncryptionConfiguration encryption) {
    NodeOptions node = new NodeOptions();
    PodOptions pods = node.pods(InheritedNames.ALL);
    return new MachineOptions(
        DataLocation.of(directory, Map.of()),
        RuntimeKind.simulated,
        10,
        node.store(),
        encryption,
        pods,
        ControllerOptions.defaults(),
        pods.surroundings(Map.of()),
        List.of());
  }

  private SharedDirectory open() {
    return open(EncryptionConfiguration.NONE);
  }

  private SharedDirectory open(EncryptionConfiguration encryption) {
    return SharedDirectory.open(Console.ofProcess(), options(encryption));
  }

  private JobClaim claim(String name, String by) {
    return new JobClaim(
        "default", name, by, false, options(EncryptionConfiguration.NONE).surroundings());
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
      guest.claim(List.of(claim("a", "one"))).get(1, TimeUnit.MINUTES);
      ApiCalls.await(guest.cluster().create(JobBuilder.named("a").build()));
      JobInterruption.begin(guest.cluster(), TestWorld.job("a"));
      holder.close();
      JobInterruption.awaitEnd(guest.cluster(), TestWorld.job("a"), timers, new SplittableRandom(1))
          .get(1, TimeUnit.MINUTES);
      assertThat(guest.isWorking()).isTrue();
      guest.start();
    }
  }

  @Test
  void aClaimIsHeardBeforeTheFirstList() throws Exception {
    try (SharedDirectory holder = open();
        SharedDirectory guest = open()) {
      ApiCalls.await(guest.cluster().create(JobBuilder.named("a").completions(1).build()));
      holder.start();
      guest.claim(List.of(claim("a", "one"))).get(1, TimeUnit.MINUTES);
      await().atMost(Duration.ofMinutes(1)).until(() -> stateOf(guest, "a") == JobState.COMPLETE);
    }
  }

  private static JobState stateOf(SharedDirectory place, String job) {
    return JobState.of(ApiCalls.await(place.cluster().get(TestWorld.job(job))));
  }

  @Test
  void whatCannotBeDecryptedCannotBeTakenOver() throws Exception {
    try (SharedDirectory earlier = open(SECRETS)) {
      KubeObject secret =
          KubeObject.of(
              Json.parse(
                  "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\",\"namespace\":\"default\"}}"));
      ApiCalls.await(earlier.cluster().create(secret));
    }
    SharedDirectory holder = open();
    try (SharedDirectory guest = open()) {
      CompletableFuture<String> failure = guest.failure();
      holder.close();
      assertThat(failure.get(1, TimeUnit.MINUTES))
          .startsWith("cannot take over " + directory + " with the keys of this command: ");
    }
  }

  /** A holder that another test steers; its lock stays while its server changes. */
  private static final class SteeredHolder implements Claims.Listener {
    private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
    private final List<String> claimed = new CopyOnWriteArrayList<>();

    private ClusterServer serve(Path directory, Claims claims) throws Exception {
      HolderInfo info =
          new HolderInfo(7, "run", RuntimeKind.simulated.name(), "", null, PodPermissions.NONE);
      return ClusterServer.open(directory, info, cluster, claims, (_, _) -> () -> {});
    }

    @Override
    public void onClaim(List<JobClaim> claims) {
      claims.forEach(claim -> claimed.add(claim.name() + " by " + claim.by()));
    }

    @Override
    public CompletableFuture<?> onLeave(List<JobClaim> claims) {
      return CompletableFuture.completedFuture(null);
    }
  }

  @Test
  void aGuestWhoseConnectionWasCutClaimsItsJobsAgainAndResumesThem() throws Exception {
    SteeredHolder holder = new SteeredHolder();
    try (DataDirectory locked = DataDirectory.open(directory)) {
      ClusterServer first = holder.serve(locked.path(), new Claims(holder));
      try (SharedDirectory guest = open()) {
        guest.claim(List.of(claim("a", "guest"))).get(1, TimeUnit.MINUTES);
        guest.start();
        ApiCalls.await(guest.cluster().create(JobBuilder.named("a").build()));
        JobInterruption.begin(holder.cluster, TestWorld.job("a")); // As an up does.
        Claims stale = new Claims(holder);
        stale.take("the connection that was cut", List.of(claim("a", "guest, before")));
        first.close();
        try (ClusterServer second = holder.serve(locked.path(), stale)) {
          assertThat(second).isNotNull();
          stale.leave("the connection that was cut");
          await()
              .atMost(Duration.ofMinutes(1))
              .until(() -> stateOf(guest, "a") != JobState.INTERRUPTED);
          assertThat(holder.claimed)
              .containsExactly("a by guest", "a by guest, before", "a by guest");
        }
        assertThat(guest.failure()).isNotDone();
      }
    }
  }
}
