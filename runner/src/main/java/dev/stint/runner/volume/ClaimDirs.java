package dev.stint.runner.volume;

import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The directories of persistent volume claims. Those that the user has named belong to the user;
 * the others are in one directory of ours, made when a pod first mounts them. None is ever deleted
 * here.
 *
 * @param named directories by claim, with all links resolved: {@code NAME} for every namespace, or
 *     {@code NAMESPACE/NAME}. One may be in another, whose pods can replace it by a link.
 * @param root the directory of all others
 */
public record ClaimDirs(Map<String, Path> named, Path root) {
  /** All pods of the namespace may use a claim, whatever user they run as. */
  private static final int FOR_ALL = 0777;

  /** The largest number of directories that are made for a namespace: nothing removes them. */
  static final int MOST = 1000;

  public ClaimDirs {
    named = Map.copyOf(named);
  }

  /**
   * Opens the directory of a claim; makes it if it is one of ours.
   *
   * @throws VolumeFault the directory that the user has named does not exist, or the namespace has
   *     too many of ours
   */
  Handle open(String namespace, String name) throws IOException, VolumeFault {
    Optional<Path> given = named(namespace, name);
    if (given.isPresent()) {
      if (!Files.isDirectory(given.get())) {
        throw VolumeFault.ofVolume(
            "claim \"%s\": %s is not a directory; create it".formatted(name, given.get()));
      }
      return opened(name, given.get());
    }
    Files.createDirectories(
        root.resolve(namespace),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    checkNumber(namespace, name);
    try (Handle all = Handle.open(root.resolve(namespace))) {
      return all.makeBeneath(Path.of(name), FOR_ALL);
    }
  }

  private void checkNumber(String namespace, String name) throws VolumeFault {
    Path all = root.resolve(namespace);
    String[] there = all.toFile().list();
    if (there != null && there.length >= MOST && !List.of(there).contains(name)) {
      throw VolumeFault.ofVolume(
          "claim \"%s\": namespace %s has %d claims already; delete some from %s"
              .formatted(name, namespace, there.length, all));
    }
  }

  private static Handle opened(String name, Path given) throws IOException, VolumeFault {
    Handle whole = Handle.open(given);
    boolean complete = false;
    try {
      if (!whole.location().equals(given)) {
        throw VolumeFault.ofVolume(
            "claim \"%s\": a link in %s leads elsewhere".formatted(name, given));
      }
      complete = true;
      return whole;
    } finally {
      if (!complete) {
        whole.close();
      }
    }
  }

  /** True if the directory of a claim is one of ours. */
  boolean isOurs(String namespace, String name) {
    return named(namespace, name).isEmpty();
  }

  /** Returns the directory that the user has named for a claim; empty if it is one of ours. */
  public Optional<Path> named(String namespace, String name) {
    return Optional.ofNullable(named.get(namespace + "/" + name))
        .or(() -> Optional.ofNullable(named.get(name)));
  }
}
