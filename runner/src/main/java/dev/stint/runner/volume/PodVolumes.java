package dev.stint.runner.volume;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The volumes of one pod on disk. Each is a directory, made when the first container asks for it,
 * and gone with the pod. Every method waits for the disk.
 *
 * <p>Files are written once: a change of a config map reaches the next pod, not this one.
 */
public final class PodVolumes {
  private static final int SET_GROUP = 02000;

  private final Path dir;
  private final @Nullable Long group;
  private final Memory memory;

  /** Mounts and unmounts file systems that are kept in memory. */
  public interface Memory {
    /**
     * @param bytes its size; null for the system's default
     */
    void mount(Path directory, @Nullable Long bytes) throws IOException;

    /** Unmounts it. Does nothing if none is mounted. */
    void unmount(Path directory);
  }

  /**
   * @param dir the directory of the volumes; need not exist
   * @param group {@code fsGroup}, the group that may read the volumes, and write them if that makes
   *     sense
   */
  public PodVolumes(Path dir, @Nullable Long group, Memory memory) {
    this.dir = dir;
    this.group = group;
    this.memory = memory;
  }

  /**
   * Makes the volume, unless it exists.
   *
   * @return the directory, or the file of a {@code hostPath}, to mount
   */
  Path make(String name, VolumeContent content) throws IOException, VolumeFault {
    if (content instanceof VolumeContent.HostPath host) {
      return hostPath(name, host);
    }
    Path volume = dir.resolve(name);
    if (!Files.isDirectory(volume)) {
      fill(name, content, volume);
    }
    // The memory of an earlier life is still mounted, unless the machine was restarted.
    if (content instanceof VolumeContent.Scratch scratch
        && scratch.memory()
        && !isMounted(volume)) {
      memory.mount(volume, scratch.sizeLimit());
      allow(volume, 0777, 0770);
    }
    return volume;
  }

  /** Returns the directory of a volume of files; empty if it is not made yet. */
  Optional<Path> made(String name) {
    return Optional.of(dir.resolve(name)).filter(Files::isDirectory);
  }

  private void fill(String name, VolumeContent content, Path volume) throws IOException {
    Path made = dir.resolve("." + name);
    clear(made);
    Files.createDirectories(made);
    if (content instanceof VolumeContent.Files files) {
      write(made, files.files());
      allow(made, 0755, 0550);
    } else {
      allow(made, 0777, 0770);
    }
    Files.move(made, volume, StandardCopyOption.ATOMIC_MOVE);
  }

  private boolean isMounted(Path volume) throws IOException {
    return !Files.getAttribute(volume, "unix:dev").equals(Files.getAttribute(dir, "unix:dev"));
  }

  /**
   * Returns the part of a volume that a mount asks for; makes it as a directory if it is missing.
   *
   * @throws VolumeFault the path leads out of the volume
   */
  static Path part(Path volume, VolumeMount mount) throws IOException, VolumeFault {
    if (mount.subPath().isEmpty()) {
      return volume;
    }
    Path root = volume.toRealPath();
    Path part = root.resolve(mount.subPath()).normalize();
    if (!part.startsWith(root)) {
      throw leadsOut(mount);
    }
    try {
      if (!Files.exists(part)) {
        inside(root, existing(part), mount);
        Files.createDirectories(part);
      }
    } catch (FileSystemException fault) {
      throw VolumeFault.ofMount(describe(mount) + " leads through a file: " + fault.getMessage());
    }
    inside(root, part, mount);
    return part.toRealPath();
  }

  /** Describes the pod's volume that exceeds its limit on disk, in a kubelet's words. */
  public Optional<String> overuse(KubeObject pod) throws IOException {
    ArrayNode volumes = Json.arrayAt(pod.spec(), "volumes");
    for (int i = 0; volumes != null && i < volumes.size(); i++) {
      String name = String.valueOf(Json.text(volumes.get(i), "name"));
      ObjectNode scratch = Json.objectAt(volumes.get(i), "emptyDir");
      Long limit = scratch == null ? null : VolumeContents.scratch(scratch).diskLimit();
      if (scratch != null && limit != null && isLarger(name, limit)) {
        String given = scratch.path("sizeLimit").asString();
        return Optional.of(
            "Usage of EmptyDir volume \"%s\" exceeds the limit \"%s\". ".formatted(name, given));
      }
    }
    return Optional.empty();
  }

  /**
   * True if the files of a volume are larger together than this number of bytes. Files that come
   * and go meanwhile may count or not.
   */
  boolean isLarger(String name, long bytes) throws IOException {
    Path volume = dir.resolve(name);
    if (!Files.isDirectory(volume)) {
      return false;
    }
    AtomicLong sum = new AtomicLong();
    Files.walkFileTree(
        volume,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            boolean over = sum.addAndGet(attributes.size()) > bytes;
            return over ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return sum.get() > bytes;
  }

  /** Removes mounts, which can't be deleted with a directory tree. */
  public void unmount() throws IOException {
    if (Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> volumes = Files.newDirectoryStream(dir)) {
        volumes.forEach(memory::unmount);
      }
    }
  }

  private static Path existing(Path path) {
    Path each = path;
    while (!Files.exists(each) && each.getParent() != null) {
      each = each.getParent();
    }
    return each;
  }

  private static void inside(Path root, Path part, VolumeMount mount)
      throws IOException, VolumeFault {
    if (!part.toRealPath().startsWith(root)) {
      throw leadsOut(mount);
    }
  }

  private static VolumeFault leadsOut(VolumeMount mount) {
    return VolumeFault.ofMount(describe(mount) + " leads out of the volume");
  }

  private static String describe(VolumeMount mount) {
    return "subPath \"" + mount.subPath() + "\" of volume \"" + mount.volume() + "\"";
  }

  private void write(Path root, List<VolumeFile> files) throws IOException {
    for (VolumeFile file : files) {
      Path path = root.resolve(file.path()).normalize();
      if (!path.startsWith(root) || path.equals(root)) {
        throw new IOException("\"" + file.path() + "\" is not a valid path in a volume");
      }
      makeDirectories(root, path.getParent());
      Files.write(path, file.content());
      allow(path, file.mode(), 0440);
    }
  }

  private void makeDirectories(Path root, @Nullable Path directory) throws IOException {
    if (directory != null && !directory.equals(root) && !Files.exists(directory)) {
      makeDirectories(root, directory.getParent());
      Files.createDirectory(directory);
      allow(directory, 0755, 0550);
    }
  }

  /** Sets permissions despite the process's umask, and changes the group if there is one. */
  private void allow(Path path, int mode, int groupMode) throws IOException {
    int full = mode;
    if (group != null) {
      full |= groupMode | (Files.isDirectory(path) ? SET_GROUP : 0);
      Files.setAttribute(path, "unix:gid", Math.toIntExact(group));
    }
    Files.setAttribute(path, "unix:mode", full);
  }

  private static Path hostPath(String name, VolumeContent.HostPath host)
      throws IOException, VolumeFault {
    Path path = host.path();
    if (!Files.exists(path)) {
      switch (host.type()) {
        case "DirectoryOrCreate" -> Files.createDirectories(path);
        case "FileOrCreate" -> createFile(name, path);
        default ->
            throw VolumeFault.ofVolume(
                "hostPath " + path + " of volume \"" + name + "\" does not exist");
      }
    }
    if (!hasType(path, host.type())) {
      throw VolumeFault.ofVolume(
          "hostPath " + path + " of volume \"" + name + "\" is not of type " + host.type());
    }
    return path;
  }

  private static void createFile(String name, Path path) throws IOException, VolumeFault {
    try {
      Files.createFile(path);
    } catch (NoSuchFileException fault) {
      throw VolumeFault.ofVolume(
          "the parent directory of hostPath "
              + path
              + " of volume \""
              + name
              + "\" does not exist");
    }
  }

  private static boolean hasType(Path path, String type) throws IOException {
    PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
    int format = (int) Files.getAttribute(path, "unix:mode") & 0170000;
    return switch (type) {
      case "DirectoryOrCreate", "Directory" -> attributes.isDirectory();
      case "FileOrCreate", "File" -> attributes.isRegularFile();
      case "Socket" -> format == 0140000;
      case "CharDevice" -> format == 0020000;
      case "BlockDevice" -> format == 0060000;
      default -> true;
    };
  }

  private static void clear(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      List<Path> entries = new ArrayList<>();
      try (DirectoryStream<Path> found = Files.newDirectoryStream(path)) {
        found.forEach(entries::add);
      }
      for (Path entry : entries) {
        clear(entry);
      }
    }
    Files.deleteIfExists(path);
  }
}
