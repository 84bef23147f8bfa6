package dev.stint.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.cli.plane.LeaderOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControllerCommandTest {
  private final Recorded recorded = Recorded.plain();

  private String refused(String... args) {
    assertThat(recorded.run(args)).isEqualTo(2);
    assertThat(recorded.out()).isEmpty();
    assertThat(recorded.err()).hasSize(1);
    return recorded.err().getFirst();
  }

  @Test
  void aClusterIsRequired() {
    assertThat(refused("controller"))
        .isEqualTo(
            "stint: --kubeconfig FILE is required, because this process does not run in a pod");
    assertThat(Recorded.plain().run("controller", "--context", "c")).isEqualTo(2);
  }

  @Test
  void aMissingFileIsNamed() {
    assertThat(refused("controller", "--kubeconfig", "/nowhere"))
        .isEqualTo(
            "stint: --kubeconfig /nowhere: cannot be read; name an existing kubeconfig file");
  }

  @ParameterizedTest
  @CsvSource({
    "--claim, nonsense, is neither built-in nor a name such as stint.dev/job-controller",
    "--claim, /x, is neither built-in nor a name",
    "--controllers, none, name at least one controller",
    "--controllers, jobs, 'unknown controller \"jobs\"'",
    "--kube-api-qps, -1, must be 0 or more",
    "--kube-api-burst, 0, 1 or more",
    "--kube-api-concurrency, 0, 1 or more",
    "--leader-elect-renew-deadline, 20s, longer than the renew deadline",
    "--leader-elect-retry-period, 10s, 1.2 times the retry period",
    "--leader-elect-lease-duration, 1500ms, whole seconds",
    "--leader-elect-retry-period, 0s, 1.2 times the retry period",
    "--concurrent-job-syncs, 0, must be at least 1",
    "--shards, 0, --shards: the number of shards must be 1 to 64",
    "--shards, 65, --shards: the number of shards must be 1 to 64",
    "--shards, many, --shards",
  })
  void badValuesAreRefusedInOneLine(String flag, String value, String why) {
    assertThat(refused("controller", "--kubeconfig", "/nowhere", flag, value)).contains(why);
  }

  @Test
  void onlyJobsAreShared() {
    String[] flags = {"controller", "--kubeconfig", "/x", "--shards=4", "--controllers=ttl"};
    assertThat(refused(flags))
        .isEqualTo("stint: --shards: only Jobs are shared; add job to --controllers");
  }

  @Test
  void theLeaseIsNamedAfterTheClaim() {
    assertThat(LeaderOptions.leaseName("built-in")).isEqualTo("stint-built-in");
    assertThat(LeaderOptions.leaseName("stint.dev/job-controller"))
        .isEqualTo("stint-stint-dev-job-controller");
    assertThat(LeaderOptions.leaseName("acme.io/Jobs_2/")).isEqualTo("stint-acme-io-jobs-2");
  }
}
