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
          "Instead of FILE: run a command for each line of a file (- is standard input), as an Indexed "
              + "Job: stint run --each LIST [flags] -- COMMAND {}. The line stands for {} and in $$STINT_ITEM, "
              + "which is the safe one in sh -c. Blank lines are left out.")
  private @Nullable String list;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "With --each: how often a line is tried again (backoffLimitPerIndex). Default: 0.")
  private @Nullable Integer retries;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "With --each: how many run at once (parallelism). Default: one for each core.")
  private @Nullable Integer parallel;

  @Option(
      names = "--success",
      paramLabel = "N|P%",
      converter = ShareConverter.Converter.class,
      description =
          "With --each: how many lines are enough for the Job to succeed (successPolicy); what still "
              + "runs then is ended. Default: all.")
  private @Nullable ShareConverter success;

  @Option(
      names = "--max-failed",
      paramLabel = "N|P%",
      converter = ShareConverter.Converter.class,
      description =
          "With --each: more lines that fail end the Job (maxFailedIndexes). Default: any number may.")
  private @Nullable ShareConverter maxFailed;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "With --each: the Job's name. Default: one that follows from command and list, so that the "
              + "same command goes on with the same Job.")
  private @Nullable String name;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      description =
          "With --each: where it runs in containers; it needs sh and sed. Default: busybox.")
  private @Nullable String image;

  @Option(
      names = "--dry-run",
      description = "With --each: only print what would be made, as YAML for stint up or kubectl.")
  private boolean dryRun;

  boolean asked() {
    return list != null;
  }

  boolean dryRun() {
    return dryRun;
  }

  /**
   * Rejects flags that make no sense without a list.
   *
   * @throws UserException naming the flag
   */
  void checkUnasked() {
    refuse("--retries", retries);
    refuse("--parallel", parallel);
    refuse("--success", success);
    refuse("--max-failed", maxFailed);
    refuse("--name", name);
    refuse("--image", image);
    refuse("--dry-run", dryRun ? true : null);
  }

  private static void refuse(String flag, @Nullable Object value) {
    if (value != null) {
      throw new UserException(flag + " is for --each; of a Job in a file, the file says it");
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
      throw new UserException("--each: there is no command; give it after --, such as -- gzip {}");
    }
    atLeast("--retries", retries, 0);
    atLeast("--parallel", parallel, 1);
    List<String> items = items(console);
    int cores = Runtime.getRuntime().availableProcessors();
    return EachJob.of(
        items,
        command,
        new EachJob.Wishes(
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
