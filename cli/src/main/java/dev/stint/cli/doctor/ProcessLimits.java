package dev.stint.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limits of this user's processes, as ulimit shows them. */
final class ProcessLimits {
  private static final Path OWN = Path.of("/proc/self/limits");

  /** A few for each pod, of which 110 run at once by default. */
  private static final long FEW_FILES = 4096;

  private static final long FEW_PROCESSES = 1024;

  private ProcessLimits() {}

  static List<Finding> findings() {
    try {
      return findings(Files.readString(OWN));
    } catch (IOException elsewhere) {
      return List.of(); // Not Linux.
    }
  }

  static List<Finding> findings(String limits) {
    return List.of(
        finding("open files", limits, "Max open files", FEW_FILES, "ulimit -n"),
        finding("processes", limits, "Max processes", FEW_PROCESSES, "ulimit -u"));
  }

  private static Finding finding(
      String subject, String limits, String name, long few, String command) {
    OptionalLong most = hard(limits, name);
    if (most.isEmpty()) {
      return Finding.ok(subject, "unlimited");
    }
    String found = "at most " + most.getAsLong();
    return most.getAsLong() < few
        ? Finding.note(
            subject,
            found,
            "raise the limit (%s, or LimitNOFILE= and TasksMax= of a unit), or lower --max-pods"
                .formatted(command))
        : Finding.ok(subject, found);
  }

  /** Returns the hard limit: the JVM raises the soft one for files. */
  private static OptionalLong hard(String limits, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + " +\\S+ +(\\d+)").matcher(limits);
    return line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
  }
}
