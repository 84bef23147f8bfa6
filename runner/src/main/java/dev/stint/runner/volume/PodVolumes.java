package dev.stint.runner.volume;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.file.FileTrees;
import dev.stint.runner.proc.BootId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The volumes of one pod on disk. Each is a directory, made when the first container asks for it,
 * and gone with the pod. Every method waits for the disk.
 *
 * <p>Files are written once in each boot of the machine: a change of a config map reaches the next
 * pod, not this one. Only tokens are {@linkplain #replace replaced}, before they expire. Nothing is
 * synced, so a loss of power may leave files empty. So the directory of a volume of files is named
 * after the boot, too, and the next boot writes the files anew, as a kubelet does. What containers
 * have written themselves, to an {@code emptyDir}, stays.
 */
public final class PodVolumes {
  private static final int SET_GROUP = 02000;

  /** The bits between the permissions of a group and those of others. */
  private static final int OTHERS = 3;

  private final Path dir;
  private final String boot;
  private final @Nullable VolumeGroup group;
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
   * @param bootId the boot ID of the running machine
   */
  public PodVolumes(Path dir, String bootId, @Nullable VolumeGroup group, Memory memory) {
    this.dir = dir;
    this.boot = BootId.tag(bootId);
    this.group = group;
    this.memory = memory;
  }

  /**
   * Makes the volume, unless it exists, and returns its directory. Only this program can change the
   * path.
   */
  Path make(String name, VolumeContent content) throws IOException {
    Path volume = content instanceof VolumeContent.Files ? ofFiles(name) : dir.resolve(name);
    if (!Files.isDirectory(volume, LinkOption.NOFOLLOW_LINKS)) {
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

  /** Returns the directory of a volume of files; empty if it is not made in this boot yet. */
  Optional<Path> made(String name) {
    return Optional.of(ofFiles(name)).filter(Files::isDirectory);
  }

  /** No name of a volume has a dot. */
  private Path ofFiles(String name) {
    return dir.resolve(name + "." + boot);
  }

  private void fill(String name, VolumeContent content, Path volume) throws IOException {
    Path made = dir.resolve("." + name);
    FileTrees.delete(made);
    Files.createDirectories(made);
    if (content instanceof VolumeContent.Files files) {
      write(made, files.files());
      allow(made, 0755, 0550);
    } else {
      allow(made, 0777, 0770);
    }
    Files.move(made, volume, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Replaces files of a volume, each at once; does nothing if the volume is not made yet. */
  void replace(String name, List<VolumeFile> files) throws IOException {
    // A version that named no boots may have started containers that still run.
    for (Path volume : List.of(ofFiles(name), dir.resolve(name))) {
      for (VolumeFile file : Files.isDirectory(volume) ? files : List.<VolumeFile>of()) {
        Path fresh = dir.resolve("." + name + ".new");
        Files.deleteIfExists(fresh);
        Files.write(fresh, file.content());
        allow(fresh, file.mode(), 0440);
        Files.move(fresh, place(volume, file), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private boolean isMounted(Path volume) throws IOException {
    return !Files.getAttribute(volume, "unix:dev").equals(Files.getAttribute(dir, "unix:dev"));
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

  /** True if the files of a volume are larger together: see {@link FileTrees#isLarger}. */
  boolean isLarger(String name, long bytes) throws IOException {
    Path volume = dir.resolve(name);
    return Files.isDirectory(volume, LinkOption.NOFOLLOW_LINKS)
        && FileTrees.isLarger(volume, bytes);
  }

  /** Removes mounts, which cannot be deleted with a directory tree. */
  public void unmount() throws IOException {
    if (Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> volumes = Files.newDirectoryStream(dir)) {
        volumes.forEach(memory::unmount);
      }
    }
  }

  private void write(Path root, List<VolumeFile> files) throws IOException {
    for (VolumeFile file : files) {
      Path path = place(root, file);
      makeDirectories(root, path.getParent());
      Files.write(path, file.content());
      allow(path, file.mode(), 0440);
    }
  }

  private static Path place(Path root, VolumeFile file) throws IOException {
    Path path = root.resolve(file.path()).normalize();
    if (!path.startsWith(root) || path.equals(root)) {
      throw new IOException("\"" + file.path() + "\" is not a valid path in a volume");
    }
    return path;
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
      full |= groupMode;
      if (group.settable()) {
        full |= Files.isDirectory(path) ? SET_GROUP : 0;
        Files.setAttribute(path, "unix:gid", group.id());
      } else {
        full |= groupMode >> OTHERS;
      }
    }
    Files.setAttribute(path, "unix:mode", full);
  }
}
