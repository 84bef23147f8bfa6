package dev.stint.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.ExitStatusMapper;
import dev.stint.cli.Recorded;
import dev.stint.cli.flag.FlagConverters;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.engine.EngineOptions;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
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
    JobControllerOptions options = parse().jobs(job -> true);
    assertThat(options.gates()).isEqualTo(FeatureGates.DEFAULT);
    assertThat(options.concurrentSyncs()).isEqualTo(64);
    assertThat(options.syncBatchPeriod()).isEqualTo(Duration.ofSeconds(1));
    assertThat(options.engine()).isEqualTo(EngineOptions.DEFAULT);
  }

  @Test
  void takeTheGivenValues() {
    JobControllerOptions options =
        parse("--feature-gates=JobManagedBy=false", "--pod-failure-backoff=500ms")
            .jobs(job -> true);
    assertThat(options.gates()).isEqualTo(FeatureGates.DEFAULT.with(Gate.JobManagedBy, false));
    assertThat(options.engine().backoff().base()).isEqualTo(Duration.ofMillis(500));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--concurrent-job-syncs=0 | --concurrent-job-syncs must be at least 1",
        "--concurrent-job-syncs=x | Invalid value for option '--concurrent-job-syncs': 'x' is not"
            + " an int",
        "--max-uncounted-pods=501 | --max-uncounted-pods must be at most 500 (KEP-2307)",
        "--sync-batch-period=5 | Invalid value for option '--sync-batch-period': \"5\" is not a"
            + " duration with its unit, such as 500ms, 90s, 5m, 1h30m or 7d",
        "--max-pod-failure-backoff=1s | --max-pod-failure-backoff must not be less than"
            + " --pod-failure-backoff",
        "--feature-gates=JobManagedBy=on | Invalid value for option '--feature-gates': feature"
            + " gate JobManagedBy must be true or false, not \"on\"",
      })
  void reportABadValueInOneLine(String flag, String message) {
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
    FlagConverters.register(line);
    ExitStatusMapper faults = new ExitStatusMapper(recorded.console());
    line.setParameterExceptionHandler((fault, given) -> faults.reportUsageError(fault));
    line.setExecutionExceptionHandler((fault, command, given) -> faults.reportFailure(fault));
    return line;
  }
}
