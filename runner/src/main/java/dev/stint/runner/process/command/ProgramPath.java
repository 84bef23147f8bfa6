package dev.stint.runner.process.command;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the programs of commands as a shell would: by their path, or by the directories of {@code
 * PATH}.
 *
 * <p>Caches its results for a moment, as a shell does: a Job's pods ask for the same program again
 * and again. May be used by several threads.
 */
public final class ProgramPath {
  private static final Duration MOMENT = Duration.ofSeconds(1);
  private static final int MOST_REMEMBERED = 100;

  private record Answer(String path, Path workingDir, Path file, Instant since) {
    /** True if the cached result still holds. After the clock was set back, it does not. */
    boolean isCurrent(String path, Path workingDir, Instant now) {
      return !now.isBefore(since)
          && now.isBefore(since.plus(MOMENT))
          && this.path.equals(path)
          && this.workingDir.equals(workingDir);
    }
  }

  private final InstantSource clock;
  private final Map<String, Answer> remembered = new ConcurrentHashMap<>();

  public ProgramPath(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Returns the file of a program.
   *
   * @param program as a command names it
   * @param path directories, separated by colons
   * @param workingDir the base of relative paths
   * @throws Command.NotStartable there is none that can be executed
   */
  Path find(String program, String path, Path workingDir) throws Command.NotStartable {
    if (program.isEmpty()) {
      throw new Command.NotStartable("the command is empty");
    }
    if (program.indexOf('/') >= 0) {
      return search(program, List.of(""), workingDir)
          .orElseThrow(() -> notFound(program, "no such file on this machine"));
    }
    Answer known = remembered.get(program);
    Instant now = clock.instant();
    if (known != null && known.isCurrent(path, workingDir, now)) {
      return known.file();
    }
    Path found =
        search(program, List.of(path.split(":")), workingDir)
            .orElseThrow(
                () -> notFound(program, "not found in PATH (" + path + ") on this machine"));
    if (remembered.size() >= MOST_REMEMBERED) {
      remembered.clear();
    }
    remembered.put(program, new Answer(path, workingDir, found, now));
    return found;
  }

  private static Optional<Path> search(String program, List<String> places, Path workingDir)
      throws Command.NotStartable {
    boolean denied = false;
    for (String place : places) {
      Path file = path(place.isEmpty() ? program : place + "/" + program, workingDir);
      if (Files.isRegularFile(file)) {
        if (Files.isExecutable(file)) {
          return Optional.of(file);
        }
        denied = true;
      }
    }
    if (denied) {
      throw notFound(program, "the file is not executable");
    }
    return Optional.empty();
  }

  private static Command.NotStartable notFound(String program, String why) {
    return new Command.NotStartable("cannot run \"" + program + "\": " + why);
  }

  /** Parses a path that a user wrote. */
  static Path path(String text, Path base) throws Command.NotStartable {
    try {
      return base.resolve(text);
    } catch (InvalidPathException fault) {
      throw new Command.NotStartable("\"" + text + "\" is not a valid path: " + fault.getReason());
    }
  }
}
