package dev.stint.cli.run;

import dev.stint.cli.flag.ShareConverter;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of {@code run} that build a Job from a list. */
final class EachOptions {
  @Option(
      names = "--each",
      paramLabel = "LIST",
      description =
          "Run a command for each line of a file (- for standard input) as an Indexed "
              + "Job, instead of FILE: stint run --each LIST [flags] -- COMMAND {}. The line "
              + "replaces {} and is the value of $$STINT_ITEM, which is safe to use in sh -c. "
              + "Blank lines are skipped.")
  private @Nullable String list;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "With --each: number of retries of a failed line, as backoffLimitPerIndex "
              + "(default: 0).")
  private @Nullable Integer retries;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description =
          "With --each: number of commands that run at once, as parallelism (default: one "
              + "per core).")
  private @Nullable Integer parallel;

  @Option(
      names = "--success",
      paramLabel = "N|P%",
      converter = ShareConverter.Converter.class,
      description =
          "With --each: number of lines that must succeed, as successPolicy. Commands "
              + "that still run then are stopped (default: all).")
  private @Nullable ShareConverter success;

  @Option(
      names = "--max-failed",
      paramLabel = "N|P%",
      converter = ShareConverter.Converter.class,
      description =
          "With --each: number of lines that may fail before the Job fails, as "
              + "maxFailedIndexes (default: any number).")
  private @Nullable ShareConverter maxFailed;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "With --each: name of the Job. By default, it is derived from the command and "
              + "the list, so that the same command resumes the same Job.")
  private @Nullable String name;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      description =
          "With --each: image for --runtime container; it must contain sh and sed "
              + "(default: busybox).")
  private @Nullable String image;

  @Option(
      names = "--dry-run",
      description = "With --each: print the Job and its ConfigMaps as YAML, and do not run it.")
  private boolean dryRun;

  boolean isRequested() {
    return list != null;
  }

  boolean isDryRun() {
    return dryRun;
  }

  /**
   * Rejects flags that make no sense without a list.
   *
   * @throws UserException naming the flag
   */
  void checkNotRequested() {
    rejectIfSet("--retries", retries);
    rejectIfSet("--parallel", parallel);
    rejectIfSet("--success", success);
    rejectIfSet("--max-failed", maxFailed);
    rejectIfSet("--name", name);
    rejectIfSet("--image", image);
    rejectIfSet("--dry-run", dryRun ? true : null);
  }

  private static void rejectIfSet(String flag, @Nullable Object value) {
    if (value != null) {
      throw new UserException(flag + " requires --each; for a Job in a file, set it in the file");
    }
  }

  /**
   * Returns the requested Job.
   *
   * @param command the words of the command
   * @param workingDir its working directory; null for the image's
   */
  EachJob job(List<String> command, @Nullable Path workingDir, Console console) {
    if (command.isEmpty()) {
      throw new UserException(
          "--each: the command is missing; add it after --, such as -- gzip {}");
    }
    atLeast("--retries", retries, 0);
    atLeast("--parallel", parallel, 1);
    List<String> items = items(console);
    int cores = Runtime.getRuntime().availableProcessors();
    return EachJob.of(
        items,
        command,
        new EachJob.Settings(
            name,
            retries == null ? 0 : retries,
            Math.min(parallel == null ? cores : parallel, items.size()),
            success,
            maxFailed,
            image == null ? "busybox" : image,
            workingDir));
  }

  private static void atLeast(String flag, @Nullable Integer value, int least) {
    if (value != null && value < least) {
      throw new UserException(flag + " is " + value + "; it must be at least " + least);
    }
  }

  private List<String> items(Console console) {
    String from = String.valueOf(list);
    try {
      byte[] bytes =
          from.equals("-") ? console.in().readAllBytes() : Files.readAllBytes(Path.of(from));
      return new String(bytes, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .toList();
    } catch (NoSuchFileException none) {
      throw new UserException("--each " + from + ": no such file");
    } catch (IOException | InvalidPathException fault) {
      throw new UserException("--each " + from + ": cannot be read: " + fault.getMessage());
    }
  }
}
