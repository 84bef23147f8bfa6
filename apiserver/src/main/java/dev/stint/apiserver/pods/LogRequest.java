package dev.stint.apiserver.pods;

import dev.stint.model.KubeObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a log.
 *
 * @param pod null where it is gone
 * @param container one of the pod's
 * @param previous whether of the attempt before the latest
 * @param follow whether to go on until the container ends
 * @param timestamps whether each line starts with its time
 * @param tailLines how many of the last lines; null for all
 * @param since lines from then on; null for all
 * @param limitBytes how many bytes at most; null for all
 * @param stream which of the streams
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
  /** What a container prints to. */
  public enum Stream {
    ALL,
    STDOUT,
    STDERR
  }
}
