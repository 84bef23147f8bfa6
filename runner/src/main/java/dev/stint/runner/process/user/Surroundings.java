package dev.stint.runner.process.user;

import dev.stint.runner.proc.ProcStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The environment, working directory and umask of the command that asked for a Job. The processes
 * of the Job inherit them unless they have an image, even if another command runs them.
 */
public final class Surroundings {
  private static final String OWN_UMASK = umaskOfThisProcess();

  private final Map<String, String> environment;
  private final InheritedEnvironment inherited;
  private final List<String> entries;
  private final Path directory;
  private final String umask;

  private Surroundings(Map<String, String> environment, Path directory, String umask) {
    this.environment = Map.copyOf(environment);
    this.inherited = InheritedEnvironment.of(environment);
    this.entries = inherited.entries();
    this.directory = directory;
    this.umask = umask;
  }

  /**
   * @param environment what processes inherit of it
   * @param directory absolute
   * @param umask octal, such as {@code 0022}
   */
  public static Surroundings of(Map<String, String> environment, Path directory, String umask) {
    if (!umask.isEmpty() && !umask.matches("[0-7]{1,4}")) {
      throw new IllegalArgumentException("umask " + umask);
    }
    return new Surroundings(environment, directory, umask);
  }

  /** Returns the surroundings of this process, with the inherited part of its environment. */
  public static Surroundings ofThisProcess(Map<String, String> environment) {
    return new Surroundings(environment, Path.of("").toAbsolutePath(), OWN_UMASK);
  }

  private static String umaskOfThisProcess() {
    try {
      return ProcStatus.own().umask();
    } catch (IOException unknown) {
      return "";
    }
  }

  public Map<String, String> environment() {
    return environment;
  }

  /** Returns the environment as containers start from it. */
  public InheritedEnvironment inherited() {
    return inherited;
  }

  public Path directory() {
    return directory;
  }

  /** Returns the octal umask; empty if it is unknown. */
  public String umask() {
    return umask;
  }

  /** Returns the environment of a shim as entries {@code NAME=value}. */
  public List<String> entries() {
    return entries;
  }

  /** Returns the umask that a shim must set; null if it is this process's. */
  public @Nullable String otherUmask() {
    return umask.isEmpty() || umask.equals(OWN_UMASK) ? null : umask;
  }

  /** True if a shim for one can run commands for the other. */
  public boolean sharesShimsWith(Surroundings other) {
    return this == other
        || (Objects.equals(otherUmask(), other.otherUmask()) && entries.equals(other.entries));
  }
}
