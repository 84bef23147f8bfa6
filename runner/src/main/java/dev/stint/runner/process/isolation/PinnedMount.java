package dev.stint.runner.process.isolation;

import dev.stint.runner.file.FileTrees;
import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file or directory to mount at whose path pods can put something else, such as a part of a
 * volume. In the container's namespace it is first mounted in a place that only this program can
 * change; if that is not what was opened, the container is not started. From there it is mounted in
 * the container.
 *
 * @param source where it was when it was opened
 * @param place the directory or file to mount it on first, in the attempt's directory
 * @param handle what was opened; open until the container has ended, so that nothing else gets its
 *     identity
 */
record PinnedMount(Path source, Path place, Handle handle) {
  /** Makes its place. */
  void prepare() throws IOException {
    FileTrees.delete(place);
    if (handle.state().isDirectory()) {
      Files.createDirectory(place);
    } else {
      Files.createFile(place);
    }
  }

  MountPlan.Line line() {
    return new MountPlan.Line(source, place, "rbind");
  }

  /** Returns the line by which a script recognizes it. */
  String expected() throws IOException {
    return handle.identity() + " " + place;
  }
}
