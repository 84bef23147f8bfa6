package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One log that is being read. Only its own virtual thread accesses its state. */
final class PodLog implements AsyncBody.Consumer<List<ByteBuffer>> {
  private final ExecutorService loop =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("stint-kube-log").factory());
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private final ByteArrayOutputStream refusal = new ByteArrayOutputStream();
  private final CompletableFuture<Integer> code = new CompletableFuture<>();
  private final Consumer<byte[]> each;

  private PodLog(Consumer<byte[]> each) {
    this.each = each;
  }

  /** Reads a log to its end. Fails with the API's error. */
  static CompletableFuture<@Nullable Void> copy(
      RestClient rest, String path, Consumer<byte[]> each) {
    PodLog log = new PodLog(each);
    rest.stream(path, log)
        .whenComplete((response, failure) -> {
          if (response == null) {
            log.end.completeExceptionally(
                failure == null
                    ? new ClusterException(Reason.UNAVAILABLE, "no answer")
                    : ClusterException.causeOf(failure));
          } else {
            log.onOpened(response);
          }
        });
    return log.end.whenComplete((_, _) -> log.loop.shutdown());
  }

  private void onOpened(HttpResponse<AsyncBody> response) {
    code.complete(response.code());
    AsyncBody body = response.body();
    body.done().whenComplete((_, broken) -> loop.execute(() -> onBodyEnd(broken)));
    body.consume();
  }

  @Override
  public void consume(List<ByteBuffer> bytes, AsyncBody from) {
    loop.execute(() -> {
      bytes.forEach(this::onBytes);
      from.consume();
    });
  }

  private void onBytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    if (HttpResponse.isSuccessful(code.join())) {
      each.accept(bytes);
    } else {
      refusal.writeBytes(bytes);
    }
  }

  private void onBodyEnd(@Nullable Throwable broken) {
    if (broken != null) {
      end.completeExceptionally(
          new ClusterException(
              Reason.UNAVAILABLE,
              "the log stream broke: " + broken.getMessage(),
              List.of(),
              broken));
    } else if (HttpResponse.isSuccessful(code.join())) {
      end.complete(null);
    } else {
      end.completeExceptionally(StatusReader.of(code.join(), refusal.toByteArray()));
    }
  }
}
