package dev.stint.cli.plane;

import dev.stint.cli.output.UserException;
import dev.stint.model.field.Formats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Checks the values of {@code --volume-dir}. */
final class VolumeDirs {
  private VolumeDirs() {}

  /**
   * Returns the directories of claims, as absolute paths.
   *
   * @param given by {@code CLAIM} or {@code NAMESPACE/CLAIM}
   * @throws UserException a name or a directory is not one
   */
  static Map<String, Path> checked(Map<String, Path> given) {
    Map<String, Path> checked = new TreeMap<>();
    given.forEach((name, dir) -> {
      for (String part : name.split("/", 2)) {
        if (Formats.dnsSubdomain(part) != null) {
          throw new UserException(
              "--volume-dir " + name + ": must be CLAIM=DIR or NAMESPACE/CLAIM=DIR");
        }
      }
      if (!Files.isDirectory(dir)) {
        throw new UserException(
            "--volume-dir " + name + ": " + dir + " is not a directory; create it first");
      }
      checked.put(name, real(name, dir));
    });
    return checked;
  }

  /** Resolves links while no pod runs that could have made them. */
  private static Path real(String name, Path dir) {
    try {
      return dir.toRealPath();
    } catch (IOException fault) {
      throw new UserException("--volume-dir " + name + ": cannot open " + dir + ": " + fault);
    }
  }
}
