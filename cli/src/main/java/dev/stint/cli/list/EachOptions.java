package dev.stint.cli.list;

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
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The flags of {@code run} that build a Job from a list. */
public final class EachOptions {
  private static final long MOST_BYTES = 1 << 30;

  /** Flags that make no sense without a list. */
  private static final Set<String> OF_LISTS =
      Set.of(
          "--null",
          "--delimiter",
          "--colsep",
          "--csv",
          "--retries",
          "--parallel",
          "--success",
          "--max-failed",
          "--name",
          "--image",
          "--dry-run");

  @Option(
      names = "--each",
      paramLabel = "LIST",
      description =
          "Run a command for each line of a file (- for standard input) as an Indexed "
              + "Job, instead of FILE: stint run --each LIST [flags] -- COMMAND {}. The line "
              + "replaces {} and is the value of $$STINT_ITEM, which is safe to use in sh -c. "
              + "{.}, {/}, {//} and {/.} are the line without its extension, its file name, its "
              + "directory, and its file name without extension; {#} is its number. Without any "
              + "of them, the line is the last argument. Blank lines are skipped.")
  @Nullable String list;

  @Option(
      names = {"-0", "--null"},
      description = "With --each: items end with a NUL character, as find -print0 writes them.")
  boolean nulls;

  @Option(
      names = "--delimiter",
      paramLabel = "CHAR",
      description =
          "With --each: the character that ends each item, such as : or \\t (default: the end "
              + "of the line).")
  @Nullable String delimiter;

  @Option(
      names = "--colsep",
      paramLabel = "REGEX",
      description =
          "With --each: the regular expression that separates the columns of a line, such as "
              + "\\t. {1}, {2}, … are the columns; {1.} and the like are parts of them.")
  @Nullable String colsep;

  @Option(
      names = "--csv",
      description =
          "With --each: the list has comma-separated values. Its first line names the columns: "
              + "{name} is the value of one, and so are {1}, {2}, …")
  boolean csv;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "With --each: number of retries of a failed line, as backoffLimitPerIndex "
              + "(default: 0).")
  @Nullable Integer retries;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description =
          "With --each: number of commands that run at once, as parallelism (default: one "
              + "per core).")
  @Nullable Integer parallel;

  @Option(
      names = "--success",
      paramLabel = "N|P%",
      converter = ShareConverter.Converter.class,
      description =
          "With --each: number of lines that must succeed, as successPolicy. Commands "
              + "that still run then are stopped (default: all).")
  @Nullable ShareConverter success;

  @Option(
      names = "--max-failed",
      paramLabel = "N|P%",
      converter = ShareConverter.Converter.class,
      description =
          "With --each: number of lines that may fail before the Job fails, as "
              + "maxFailedIndexes (default: any number).")
  @Nullable ShareConverter maxFailed;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "With --each: name of the Job. By default, it is derived from the command and "
              + "the name of the list, so that the same command goes on with the same Job.")
  @Nullable String name;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      description =
          "With --each: image of the container; required on a cluster (default: busybox).")
  @Nullable String image;

  @Option(
      names = "--dry-run",
      description = "With --each: print the Job and its ConfigMaps as YAML, and do not run it.")
  boolean dryRun;

  public boolean isRequested() {
    return list != null;
  }

  public boolean isDryRun() {
    return dryRun;
  }

  /**
   * Rejects flags that make no sense without a list. Those of the configuration are for other runs.
   *
   * @param parsed the command line
   * @throws UserException naming the flag
   */
  public static void checkNotRequested(ParseResult parsed) {
    parsed.matchedOptions().stream()
        .map(OptionSpec::longestName)
        .filter(OF_LISTS::contains)
        .findFirst()
        .ifPresent(flag -> {
          throw new UserException(
              flag + " requires --each; for a Job in a file, set it in the file");
        });
  }

  /**
   * Checks that there is a command.
   *
   * @throws UserException if there is none
   */
  public static void checkCommand(List<String> command) {
    if (command.isEmpty()) {
      throw new UserException(
          "--each: the command is missing; add it after --, such as -- gzip {}");
    }
  }

  /**
   * Returns the requested Job.
   *
   * @param command the words of the command
   * @param workingDir its working directory; null for the image's
   */
  public ListJob job(List<String> command, @Nullable Path workingDir, Console console) {
    return job(command, workingDir, source(), console);
  }

  /**
   * Returns the requested Job for a cluster. Its list is known by the name of its file, wherever
   * the file is, and nothing else of this machine counts.
   */
  public ListJob jobOnCluster(List<String> command, Console console) {
    if (image == null) {
      throw new UserException(
          "--image IMAGE is required on a cluster; name one that contains the command and /bin/sh");
    }
    Path file = source();
    return job(command, null, file == null ? null : file.getFileName(), console);
  }

  private ListJob job(
      List<String> command, @Nullable Path workingDir, @Nullable Path source, Console console) {
    atLeast("--retries", retries, 0);
    atLeast("--parallel", parallel, 1);
    ItemList items = ItemList.read(text(console), format());
    return ListJob.of(
        items,
        command,
        new ListJob.Settings(
            name,
            retries,
            parallel,
            success,
            maxFailed,
            image == null ? "busybox" : image,
            workingDir,
            source));
  }

  /** Returns the file of the list; null if it has no name that it will have again. */
  private @Nullable Path source() {
    String from = String.valueOf(list);
    try {
      Path file = Path.of(from).toAbsolutePath().normalize();
      boolean stream = from.equals("-") || file.startsWith("/dev") || file.startsWith("/proc");
      return stream || !Files.isRegularFile(file) ? null : file;
    } catch (InvalidPathException unreadable) {
      return null; // Reading it says so.
    }
  }

  private static void atLeast(String flag, @Nullable Integer value, int least) {
    if (value != null && value < least) {
      throw new UserException(flag + " is " + value + "; it must be at least " + least);
    }
  }

  private ListFormat format() {
    long ways = Stream.of(nulls, delimiter != null, csv).filter(Boolean::booleanValue).count();
    if (ways > 1 || (csv && colsep != null)) {
      throw new UserException(
          "use one of --null, --delimiter and --csv, and --csv without --colsep");
    }
    if (csv) {
      return new ListFormat.Csv();
    }
    byte end = nulls ? 0 : delimiter == null ? (byte) '\n' : delimiter(delimiter);
    return new ListFormat.Delimited(end, colsep == null ? null : pattern(colsep));
  }

  private static byte delimiter(String text) {
    String character =
        switch (text) {
          case "\\n" -> "\n";
          case "\\t" -> "\t";
          case "\\0" -> "\0";
          default -> text;
        };
    byte[] bytes = character.getBytes(StandardCharsets.UTF_8);
    if (bytes.length != 1) {
      throw new UserException(
          "--delimiter \"" + text + "\" must be one ASCII character, or \\n, \\t or \\0");
    }
    return bytes[0];
  }

  private static Pattern pattern(String text) {
    if (text.isEmpty()) {
      throw new UserException("--colsep is empty; it must separate columns, such as \\t or ,");
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException fault) {
      throw new UserException(
          "--colsep \"" + text + "\" is not a regular expression: " + fault.getDescription());
    }
  }

  private byte[] text(Console console) {
    String from = String.valueOf(list);
    try {
      if (from.equals("-")) {
        return console.in().readAllBytes();
      }
      Path file = Path.of(from);
      if (Files.isRegularFile(file) && Files.size(file) > MOST_BYTES) {
        throw new UserException(
            "--each %s: has more than 1Gi bytes; split it into several lists".formatted(from));
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException none) {
      throw new UserException("--each " + from + ": no such file");
    } catch (IOException | InvalidPathException fault) {
      throw new UserException("--each " + from + ": cannot be read: " + fault.getMessage());
    }
  }
}
