package dev.stint.runner.process.isolation;

import java.nio.file.Path;

/**
 * Something of this machine that a container sees at a place of its own.
 *
 * @param source absolute; a directory or a file
 * @param target absolute
 * @param made whether the source was made for the pod, so that places for other mounts may be made
 *     in it
 */
record BindMount(Path source, Path target, boolean readOnly, boolean made) {}
