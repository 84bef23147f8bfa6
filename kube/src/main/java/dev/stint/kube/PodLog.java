package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.kube.http.AnswerHead;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Reads a log on the caller's thread. */
final class PodLog {
  private PodLog() {}

  /**
   * Reads a log to its end.
   *
   * @throws ClusterException the API's error; {@code UNAVAILABLE} if the connection breaks; {@code
   *     INTERNAL} with the cause if the receiver fails
   */
  static void copy(RestClient rest, String path, Consumer<byte[]> each) {
    try (ApiStream log = rest.stream(path)) {
      AnswerHead head = log.open();
      if (!head.isSuccessful()) {
        throw StatusReader.of(head.code(), log.readRest());
      }
      for (byte[] bytes = log.read(); bytes != null; bytes = log.read()) {
        pass(bytes, each);
      }
    } catch (IOException broken) {
      throw new ClusterException(
          Reason.UNAVAILABLE, "the log stream broke: " + broken.getMessage(), List.of(), broken);
    }
  }

  private static void pass(byte[] bytes, Consumer<byte[]> each) {
    try {
      each.accept(bytes);
    } catch (RuntimeException fault) {
      throw new ClusterException(
          Reason.INTERNAL, "the log cannot be passed on: " + fault.getMessage(), List.of(), fault);
    }
  }
}
