package dev.stint.runner.process.isolation;

import java.nio.file.Path;

/**
 * A bind mount: a file or directory of this machine, at a path of its own in a container.
 *
 * @param source absolute; a directory or a file
 * @param target absolute
 * @param made true if the source was made for the pod, so that mount points for other mounts may be
 *     made in it
 * @param seen a path at which this program sees the same directory or file, whatever pods do
 */
record BindMount(Path source, Path target, boolean readOnly, boolean made, Path seen) {
  /** Creates a mount of a path that only this program can change. */
  BindMount(Path source, Path target, boolean readOnly, boolean made) {
    this(source, target, readOnly, made, source);
  }

  BindMount withTarget(Path other) {
    return new BindMount(source, other, readOnly, made, seen);
  }
}
