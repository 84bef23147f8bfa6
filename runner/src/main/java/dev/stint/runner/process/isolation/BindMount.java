package dev.stint.runner.process.isolation;

import java.nio.file.Path;

/**
 * A bind mount: a file or directory of this machine, at a path of its own in a container.
 *
 * @param source absolute; a directory or a file
 * @param target absolute
 * @param made true if the source was made for the pod, so that mount points for other mounts may be
 *     made in it
 */
record BindMount(Path source, Path target, boolean readOnly, boolean made) {}
