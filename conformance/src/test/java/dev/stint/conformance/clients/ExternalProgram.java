package dev.stint.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A program on this machine that a test runs to its end. */
final class ExternalProgram {
  private static final long TIMEOUT_MINUTES = 3;

  private final List<String> command;
  private final Path directory;
  private final Map<String, String> environment;

  private ExternalProgram(List<String> command, Path directory, Map<String, String> environment) {
    this.command = command;
    this.directory = directory;
    this.environment = environment;
  }

  /**
   * The result of a program.
   *
   * @param text the output on both streams
   */
  record Result(List<String> command, int status, String text) {
    /** Returns this result, which must be a success. */
    Result done() {
      assertThat(status).as("%s: %s", command, text).isZero();
      return this;
    }

    /** Returns this result, which must be a failure. */
    Result refused() {
      assertThat(status).as("%s: %s", command, text).isNotZero();
      return this;
    }
  }

  /** Returns kubectl with its own home in {@code directory}. */
  static ExternalProgram kubectl(Path directory, Path kubeconfig) {
    Map<String, String> environment =
        Map.of("KUBECONFIG", kubeconfig.toString(), "HOME", directory.toString());
    return new ExternalProgram(List.of("kubectl"), directory, environment);
  }

  /** Returns a program that gets its arguments from {@link #run}. */
  static ExternalProgram of(Path directory, String... command) {
    return new ExternalProgram(List.of(command), directory, Map.of());
  }

  /** Skips the test if a program is missing, and prints a visible notice. */
  static void require(String... programs) {
    List<String> missing =
        Stream.of(programs).filter(Predicate.not(ExternalProgram::installed)).toList();
    if (!missing.isEmpty()) {
      String why = "NOT TESTED, as this machine has no " + String.join(" and no ", missing);
      System.err.println("\n*** " + why + ": install it to run these tests ***\n");
      Assumptions.abort(why);
    }
  }

  private static boolean installed(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  ExternalProgram with(String variable, String value) {
    Map<String, String> more = new java.util.HashMap<>(environment);
    more.put(variable, value);
    return new ExternalProgram(command, directory, more);
  }

  /** Runs it to its end. */
  Result run(String... arguments) throws IOException, InterruptedException {
    Path out = Files.createTempFile(directory, "out", ".txt");
    Process process = builder(arguments).redirectOutput(out.toFile()).start();
    process.getOutputStream().close();
    if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError(List.of(arguments) + " does not end: " + Files.readString(out));
    }
    return new Result(List.of(arguments), process.exitValue(), Files.readString(out).strip());
  }

  /** Runs it until it prints a line with this text, and then ends it. */
  String lineWith(String text, String... arguments) throws IOException, InterruptedException {
    Process process = builder(arguments).start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains(text)) {
          return line;
        }
      }
      throw new AssertionError(List.of(arguments) + " ended without saying " + text);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private ProcessBuilder builder(String... arguments) {
    List<String> full = new ArrayList<>(command);
    full.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(full).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return builder;
  }
}
