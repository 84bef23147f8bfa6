package dev.stint.cli.doctor;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cli.run.RunCommand;
import dev.stint.cli.run.RunCommandSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine;

/**
 * Runs a Job of one pod in a scratch directory. What {@code run} needs is asked of {@code run}
 * itself.
 */
final class TrialRun {
  private static final String SUBJECT = "stint run";
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: doctor
      spec:
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            containers:
              - name: main
                image: none
                command: ["true"]
      """;

  private TrialRun() {}

  /**
   * Runs it.
   *
   * @param scratch an empty directory, in the file system of the data directory
   * @param caller not printed to
   */
  static Finding in(Path scratch, Console caller) throws IOException {
    Path file = Files.writeString(scratch.resolve("job.yaml"), JOB);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
    Console console =
        new Console(
            InputStream.nullInputStream(),
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
            err,
            caller.environment(),
            false,
            80,
            caller.signals());
    RunCommand command = new RunCommand(console, _ -> CommandLine.ExitCode.SOFTWARE);
    CommandLine run = FlagConverters.register(new CommandLine(RunCommandSpec.of(command)));
    run.setExecutionExceptionHandler((fault, _, _) -> {
      err.println(fault instanceof UserException user ? user.getMessage() : fault);
      return CommandLine.ExitCode.SOFTWARE;
    });
    long start = System.nanoTime();
    int status =
        run.execute(file.toString(), "--data", scratch.resolve("data").toString(), "--timeout=1m");
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    return verdict(status, took, said.toString(StandardCharsets.UTF_8));
  }

  static Finding verdict(int status, Duration took, String said) {
    if (status == 0) {
      return Finding.ok(
          SUBJECT, "a Job of one pod ran as a process in " + DurationConverter.took(took));
    }
    String last =
        said.lines()
            .filter(line -> !line.isBlank())
            .reduce((_, next) -> next)
            .orElse("exit status " + status);
    return Finding.fault(
        SUBJECT,
        "a Job of one pod did not run: " + last.replaceFirst("^stint: ", ""),
        "mend what this line says, then run stint doctor again");
  }
}
