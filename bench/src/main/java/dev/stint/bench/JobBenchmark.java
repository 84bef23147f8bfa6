package dev.stint.bench;

import dev.stint.embedded.benchmark.JobRun;
import dev.stint.embedded.benchmark.JobRunOptions;
import dev.stint.embedded.benchmark.JobRunReport;
import dev.stint.model.Json;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a Job in this process and prints its costs, without those of starting the command line:
 * {@code --completions N --parallelism P --jobs J --per-index --fail-first --data DIR --runs R -o
 * text|json}. Several runs in one process show the figures of a warm one.
 */
public final class JobBenchmark {
  private final List<String> arguments;

  private JobBenchmark(String... arguments) {
    this.arguments = Arrays.asList(arguments);
  }

  public static void main(String[] arguments) throws Exception {
    JobBenchmark benchmark = new JobBenchmark(arguments);
    String data = benchmark.value("--data");
    boolean json = "json".equals(benchmark.value("-o"));
    for (int i = 0; i < benchmark.number("--runs", 1); i++) {
      JobRunReport report = JobRun.run(benchmark.options(), data == null ? null : Path.of(data));
      System.out.println(json ? Json.pretty(report.json()) : report.text());
    }
  }

  private JobRunOptions options() {
    int completions = number("--completions", 10_000);
    return new JobRunOptions(
        completions,
        number("--parallelism", JobRunOptions.of(completions).parallelism()),
        number("--jobs", 1),
        arguments.contains("--per-index"),
        arguments.contains("--fail-first"));
  }

  private int number(String name, int otherwise) {
    String value = value(name);
    return value == null ? otherwise : Integer.parseInt(value);
  }

  private @Nullable String value(String name) {
    int at = arguments.indexOf(name);
    return at < 0 || at + 1 == arguments.size() ? null : arguments.get(at + 1);
  }
}
