package dev.stint.cli.simulate;

import dev.stint.cli.location.TargetOptions;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cli.simulate.outcome.AttemptsFile;
import dev.stint.cli.simulate.outcome.KeptAttempts;
import dev.stint.cli.simulate.outcome.ModelCalibration;
import dev.stint.cli.simulate.outcome.ObservedAttempts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags that draw the outcomes of attempts from real ones. */
final class LikeOptions {
  @Option(
      names = "--like",
      paramLabel = "[NAME=]JOB",
      description =
          "Draw durations and exit codes from the attempts of an earlier Job, which stint attempts "
              + "lists; those of second attempts come from its second attempts. NAME= applies this "
              + "to one of several Jobs; may be repeated.")
  List<String> jobs = List.of();

  @Option(
      names = "--like-file",
      paramLabel = "[NAME=]FILE",
      description =
          "Like --like, but read the attempts from a file: the output of stint attempts -o csv or "
              + "-o joblog, or the job log of GNU parallel.")
  List<String> files = List.of();

  @Mixin TargetOptions place = new TargetOptions();

  /** One use of a flag: the source for one Job, or for all if the name is empty. */
  private record Use(String flag, String name, String source) {
    static Use of(String flag, String text, Set<String> names) {
      int equals = text.indexOf('=');
      return equals > 0 && names.contains(text.substring(0, equals))
          ? new Use(flag, text.substring(0, equals), text.substring(equals + 1))
          : new Use(flag, "", text);
    }
  }

  /**
   * Finds the attempts.
   *
   * @throws UserException if there are none, or if two flags are for the same Job
   */
  Likes find(Workload workload, Console console) {
    List<Use> uses = new ArrayList<>();
    jobs.forEach(text -> uses.add(Use.of("--like", text, workload.names())));
    files.forEach(text -> uses.add(Use.of("--like-file", text, workload.names())));
    Likes likes = new Likes();
    for (Use use : uses) {
      if (likes.knows(use.name())) {
        throw new UserException(
            "--like and --like-file: two sources for %s; keep one of them"
                .formatted(use.name().isEmpty() ? "all Jobs" : use.name()));
      }
      likes.add(use.name(), calibration(use, workload, console));
    }
    return likes;
  }

  private ModelCalibration calibration(Use use, Workload workload, Console console) {
    Set<String> main = workload.mainContainers();
    ObservedAttempts observed =
        use.flag().equals("--like")
            ? place.with(console, target -> KeptAttempts.find(target, use.source(), main))
            : AttemptsFile.read(use.source(), bytes(use.source()), main);
    if (observed.attempts().isEmpty()) {
      throw new UserException(
          "%s %s: none of %d attempts ended by itself with a known duration and exit code"
              .formatted(use.flag(), use.source(), observed.leftOut()));
    }
    return new ModelCalibration(observed);
  }

  private static byte[] bytes(String file) {
    try {
      Path path = Path.of(file);
      if (!Files.isRegularFile(path)) {
        throw new UserException("--like-file " + file + ": no such file");
      }
      return Files.readAllBytes(path);
    } catch (IOException | InvalidPathException fault) {
      throw new UserException("--like-file " + file + ": cannot be read: " + fault.getMessage());
    }
  }
}
