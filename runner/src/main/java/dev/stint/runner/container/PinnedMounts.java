package dev.stint.runner.container;

import dev.stint.runner.file.Errnos;
import dev.stint.runner.file.FileTrees;
import dev.stint.runner.file.Handle;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.volume.PodMounts;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The mounts of one pod that containers could redirect while the daemon opens them: parts of
 * volumes, and paths of the machine. The daemon opens paths itself, so what was opened here is
 * mounted in a directory that only this program can change, and the daemon gets that path. It is
 * unmounted as soon as the container has started, so that nobody who deletes the data directory
 * deletes what is mounted there. Takes root; without, {@link ReplaceablePaths} are refused.
 *
 * <p>A daemon in another mount namespace does not see these mounts. It must not take what is below
 * them instead, so the places are in a file system of their own, in a directory that is a file
 * below it: such a daemon finds nothing there, cannot make anything either as Podman would, and
 * refuses the container.
 *
 * @param dir the directory for them; need not exist
 */
record PinnedMounts(Path dir) {
  /** Enough for the names of all mounts of a pod. */
  private static final long BYTES = 1 << 20;

  /**
   * Returns mounts that lead to the same directories and files.
   *
   * @param mounts are closed
   * @param name identifies the container; mounts of an earlier try are replaced
   */
  List<PodMounts.Mounted> pin(List<PodMounts.Mounted> mounts, String name) throws IOException {
    List<PodMounts.Mounted> pinned = new ArrayList<>();
    try {
      for (PodMounts.Mounted mount : mounts) {
        pinned.add(pin(mount, places().resolve(name + "." + pinned.size())));
      }
      return pinned;
    } finally {
      mounts.forEach(PodMounts.Mounted::close);
    }
  }

  private PodMounts.Mounted pin(PodMounts.Mounted mount, Path place) throws IOException {
    Handle handle = mount.handle();
    if (handle == null || !ReplaceablePaths.canPin()) {
      return mount;
    }
    pin(handle, place);
    return new PodMounts.Mounted(place, mount.target(), mount.readOnly(), mount.made(), null);
  }

  private void pin(Handle handle, Path place) throws IOException {
    openDirectory();
    remove(place);
    if (handle.state().isDirectory()) {
      Files.createDirectory(place);
    } else {
      Files.createFile(place);
    }
    int result = Posix.bind(handle.path().toString(), place.toString());
    if (result < 0) {
      throw new IOException("cannot mount at " + place + ": " + Errnos.text(-result));
    }
  }

  private Path places() {
    return dir.resolve("places");
  }

  private void openDirectory() throws IOException {
    Files.createDirectories(dir);
    if (!isMounted()) {
      if (!Files.exists(places())) {
        Files.createFile(places());
      }
      int result = Posix.mountMemory(dir.toString(), BYTES);
      if (result < 0) {
        throw new IOException("cannot mount a file system at " + dir + ": " + Errnos.text(-result));
      }
    }
    Files.createDirectories(places());
  }

  private boolean isMounted() throws IOException {
    Path above = Objects.requireNonNull(dir.toAbsolutePath().getParent());
    return !Files.getAttribute(dir, "unix:dev").equals(Files.getAttribute(above, "unix:dev"));
  }

  /** Unmounts everything, so that the directory can be deleted. */
  void unpin() throws IOException {
    if (!Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS) || !isMounted()) {
      return;
    }
    if (Files.isDirectory(places(), LinkOption.NOFOLLOW_LINKS)) {
      removeAll(places());
      Files.delete(places());
    }
    // Earlier versions had their places here.
    removeAll(dir);
    Posix.unmount(dir.toString());
  }

  private static void removeAll(Path directory) throws IOException {
    try (DirectoryStream<Path> places = Files.newDirectoryStream(directory)) {
      for (Path place : places) {
        remove(place);
      }
    }
  }

  private static void remove(Path place) throws IOException {
    Posix.unmount(place.toString());
    FileTrees.delete(place);
  }
}
