package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ControllerOptionsTest {
  @Command(name = "up")
  private static final class Up implements Callable<Integer> {
    @Mixin private ControllerOptions options = new ControllerOptions();

    @Override
    public Integer call() {
      options.check();
      return 0;
    }
  }

  private final Recorded recorded = Recorded.plain();

  @Test
  void haveTheDefaultsOfTheContract() {
    ControllerOptions options = parse();
    assertThat(options.featureGates()).isEqualTo(FeatureGates.DEFAULT);
    assertThat(options.concurrentJobSyncs()).isEqualTo(5);
    assertThat(options.syncBatchPeriod()).isEqualTo(Duration.ofSeconds(1));
    assertThat(options.podFailureBackoff()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options.maxPodFailureBackoff()).isEqualTo(Duration.ofMinutes(10));
    assertThat(options.maxUncountedPods()).isEqualTo(500);
    assertThat(options.maxPodChangesPerSync()).isEqualTo(500);
    assertThat(options.metricsListen()).isNull();
  }

  @Test
  void takeWhatIsGiven() {
    ControllerOptions options =
        parse(
            "--feature-gates=JobManagedBy=false",
            "--pod-failure-backoff=500ms",
            "--metrics-listen=127.0.0.1:9090");
    assertThat(options.featureGates())
        .isEqualTo(FeatureGates.DEFAULT.with(Gate.JobManagedBy, false));
    assertThat(options.podFailureBackoff()).isEqualTo(Duration.ofMillis(500));
    assertThat(options.metricsListen())
        .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9090));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--concurrent-job-syncs=0 | --concurrent-job-syncs must be at least 1",
        "--concurrent-job-syncs=x | Invalid value for option '--concurrent-job-syncs': 'x' is not"
            + " an int",
        "--max-uncounted-pods=501 | --max-uncounted-pods may be 500 at most (KEP-2307)",
        "--sync-batch-period=5 | Invalid value for option '--sync-batch-period': \"5\" is not a"
            + " duration with its unit, such as 500ms, 90s, 5m or 1h30m",
        "--max-pod-failure-backoff=1s | --max-pod-failure-backoff must not be less than"
            + " --pod-failure-backoff",
        "--metrics-listen=9090 | Invalid value for option '--metrics-listen': \"9090\" is not a"
            + " host and a port, such as 127.0.0.1:8080",
        "--feature-gates=JobManagedBy=on | Invalid value for option '--feature-gates': gate"
            + " JobManagedBy takes true or false, not \"on\"",
      })
  void tellOfABadValueInOneLine(String flag, String message) {
    CommandLine line = line(new Up());
    assertThat(line.execute(flag)).isEqualTo(2);
    assertThat(recorded.err()).containsExactly("stint: " + message + "; see: up --help");
  }

  private ControllerOptions parse(String... args) {
    Up up = new Up();
    assertThat(line(up).execute(args)).isZero();
    return up.options;
  }

  private CommandLine line(Up up) {
    CommandLine line = new CommandLine(up);
    Converters.register(line);
    Faults faults = new Faults(recorded.console());
    line.setParameterExceptionHandler((fault, given) -> faults.misused(fault));
    line.setExecutionExceptionHandler((fault, command, given) -> faults.failed(fault));
    return line;
  }
}
