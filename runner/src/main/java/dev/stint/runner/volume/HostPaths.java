package dev.stint.runner.volume;

import dev.stint.model.Json;
import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * The directories of this machine that pods may have as volumes, with all that is in them.
 *
 * <p>A pod with such a volume can replace what is in it by a link. So a path is opened first, and
 * where the opened file is decides whether pods may have it.
 *
 * @param allowed as the user names them
 * @param roots the same with all links resolved, once: later ones may be links of pods
 * @param claims the directories of persistent volume claims
 */
public record HostPaths(List<Path> allowed, List<Path> roots, ClaimDirs claims) {
  private static final int DIRECTORY_MODE = 0755;

  /**
   * A file or directory of this machine.
   *
   * @param path absolute and normalized
   * @param type the required kind of file, as in {@code hostPath.type}; empty for any
   */
  record Source(Path path, String type) {
    /** Reads a {@code hostPath}. */
    static Source of(ObjectNode hostPath) {
      return new Source(
          Path.of(Objects.requireNonNullElse(Json.text(hostPath, "path"), ""))
              .toAbsolutePath()
              .normalize(),
          Objects.requireNonNullElse(Json.text(hostPath, "type"), ""));
    }
  }

  /** Creates paths without claims, to check others. */
  public HostPaths(List<Path> allowed) {
    this(allowed, new ClaimDirs(Map.of(), Path.of("volumes")));
  }

  /** Creates paths, with the links that there are now. */
  public HostPaths(List<Path> allowed, ClaimDirs claims) {
    this(
        allowed,
        allowed.stream().map(path -> real(path.toAbsolutePath().normalize())).toList(),
        claims);
  }

  public HostPaths {
    allowed = List.copyOf(allowed);
    roots = List.copyOf(roots);
  }

  /** True if a path, with all links resolved as far as it exists, is in one of the directories. */
  boolean contains(Path path) {
    Path real = real(path);
    return roots.stream().anyMatch(real::startsWith);
  }

  /**
   * True if a pod may have a directory above a path as its volume, be it by its path or by a claim,
   * and so replace the path. Links in it are not resolved: a pod may have put them there for now.
   */
  public boolean mayBeReplaced(Path path) {
    return Stream.of(
            allowed.stream().map(each -> each.toAbsolutePath().normalize()),
            roots.stream(),
            claims.named().values().stream())
        .flatMap(each -> each)
        .anyMatch(each -> path.startsWith(each) && !path.equals(each));
  }

  /** Returns a path with all links resolved, as far as it exists. */
  public static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException missing) {
      Path parent = path.getParent();
      Path name = path.getFileName();
      return parent == null || name == null ? path : real(parent).resolve(name);
    }
  }

  /**
   * Opens a path of this machine as a volume. Makes it if its type says so.
   *
   * @throws VolumeFault it does not exist, has another type, or is not in an allowed directory
   */
  Handle open(String volume, Source host) throws IOException, VolumeFault {
    Handle handle = openOrMake(volume, host);
    try {
      check(handle.location(), volume, host);
      if (!hasType(handle.state().type(), host.type())) {
        throw VolumeFault.ofVolume(describe(volume, host) + " is not of type " + host.type());
      }
      return handle;
    } catch (IOException | VolumeFault | RuntimeException fault) {
      handle.close();
      throw fault;
    }
  }

  private Handle openOrMake(String volume, Source host) throws IOException, VolumeFault {
    try {
      return Handle.open(host.path());
    } catch (NoSuchFileException missing) {
      return switch (host.type()) {
        case "DirectoryOrCreate" -> makeDirectory(volume, host);
        case "FileOrCreate" -> makeFile(volume, host);
        default -> throw VolumeFault.ofVolume(describe(volume, host) + " does not exist");
      };
    }
  }

  private Handle makeDirectory(String volume, Source host) throws IOException, VolumeFault {
    Path above = parent(host.path());
    while (true) {
      try (Handle there = Handle.open(above)) {
        Path rest = above.relativize(host.path());
        check(there.location().resolve(rest), volume, host);
        return there.makeBeneath(rest, DIRECTORY_MODE);
      } catch (NoSuchFileException missing) {
        above = parent(above);
      }
    }
  }

  private Handle makeFile(String volume, Source host) throws IOException, VolumeFault {
    Path name = Objects.requireNonNull(host.path().getFileName());
    try (Handle parent = Handle.open(parent(host.path()))) {
      check(parent.location().resolve(name), volume, host);
      parent.createFile(name.toString());
      return parent.beneath(name);
    } catch (NoSuchFileException fault) {
      throw VolumeFault.ofVolume(
          "the parent directory of " + describe(volume, host) + " does not exist");
    }
  }

  private void check(Path location, String volume, Source host) throws VolumeFault {
    if (roots.stream().noneMatch(location::startsWith)) {
      throw VolumeFault.ofVolume(
          describe(volume, host)
              + " leads to "
              + location
              + ", which is not below a path that pods may use (--host-path): "
              + allowed);
    }
  }

  private static String describe(String volume, Source host) {
    return "hostPath " + host.path() + " of volume \"" + volume + "\"";
  }

  private static boolean hasType(int format, String type) {
    return switch (type) {
      case "DirectoryOrCreate", "Directory" -> format == 0040000;
      case "FileOrCreate", "File" -> format == 0100000;
      case "Socket" -> format == 0140000;
      case "CharDevice" -> format == 0020000;
      case "BlockDevice" -> format == 0060000;
      default -> true;
    };
  }

  private static Path parent(Path path) {
    return Objects.requireNonNull(path.getParent());
  }
}
