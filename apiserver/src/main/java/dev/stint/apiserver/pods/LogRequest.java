package dev.stint.apiserver.pods;

import dev.stint.model.KubeObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The options of a request for a log.
 *
 * @param pod null if it was deleted
 * @param container one of the pod's
 * @param previous true for the attempt before the latest
 * @param follow true to continue until the container ends
 * @param timestamps true if each line starts with its time
 * @param tailLines the number of lines at the end; null for all
 * @param since only lines from then on; null for all
 * @param limitBytes the largest number of bytes; null for all
 * @param stream the selected streams
 */
public record LogRequest(
    String namespace,
    String name,
    @Nullable KubeObject pod,
    String container,
    boolean previous,
    boolean follow,
    boolean timestamps,
    @Nullable Long tailLines,
    @Nullable Instant since,
    @Nullable Long limitBytes,
    Stream stream) {
  /** The output streams of a container. */
  public enum Stream {
    ALL,
    STDOUT,
    STDERR
  }
}
