package dev.stint.runner.volume;

import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * Opens the part of a volume that a mount asks for. Links in it may lead to other parts of the
 * volume; they are resolved first. The result is then opened one directory after the other, so that
 * a link which a container puts in the way meanwhile is not followed.
 */
final class SubPath {
  private static final int SET_GROUP = 02777;

  private SubPath() {}

  /**
   * Opens a part of a volume; makes it as a directory, with the permissions of the volume, if it is
   * missing.
   *
   * @throws VolumeFault the path leads out of the volume
   */
  static Handle open(Handle volume, VolumeMount mount) throws IOException, VolumeFault {
    Path asked = Path.of(mount.subPath());
    boolean climbs = asked.isAbsolute();
    for (Path name : asked) {
      climbs |= name.toString().equals("..");
    }
    if (climbs) {
      throw leadsOut(mount);
    }
    try {
      Path root = volume.location();
      Path real = real(root, asked.normalize(), mount);
      return real.equals(root)
          ? volume.copy()
          : volume.makeBeneath(root.relativize(real), volume.state().permissions() & SET_GROUP);
    } catch (NoSuchFileException | NotDirectoryException fault) {
      throw VolumeFault.ofMount(
          describe(mount) + " leads through a file, or changes all the time: " + fault.getFile());
    } catch (FileSystemException fault) {
      throw VolumeFault.ofMount(describe(mount) + " cannot be opened: " + fault.getMessage());
    }
  }

  /** Returns the path with all links resolved, as far as it exists. */
  private static Path real(Path root, Path part, VolumeMount mount)
      throws IOException, VolumeFault {
    Path at = root;
    for (Path name : part) {
      at = at.resolve(name);
      if (Files.isSymbolicLink(at)) {
        at = at.toRealPath();
      }
      if (!at.startsWith(root)) {
        throw leadsOut(mount);
      }
    }
    return at;
  }

  private static VolumeFault leadsOut(VolumeMount mount) {
    return VolumeFault.ofMount(describe(mount) + " leads out of the volume");
  }

  private static String describe(VolumeMount mount) {
    return "subPath \"" + mount.subPath() + "\" of volume \"" + mount.volume() + "\"";
  }
}
