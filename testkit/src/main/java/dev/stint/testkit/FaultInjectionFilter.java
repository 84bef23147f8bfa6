package dev.stint.testkit;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.router.AccessFilter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Injects a test's faults into HTTP requests. */
final class FaultInjectionFilter implements RequestFilter {
  private final RequestFilter gate;
  private final FaultSchedule faults;

  FaultInjectionFilter(RequestFilter gate, FaultSchedule faults) {
    this.gate = gate;
    this.faults = faults;
  }

  @Override
  public ApiResponse answer(Call call, ClientIdentity peer) throws IOException {
    RequestAttributes attributes = AccessFilter.attributes(call, call.user());
    if (attributes.nonResourcePath() != null) {
      return gate.answer(call, peer);
    }
    ApiRequest request =
        new ApiRequest(
            attributes.verb(),
            attributes.resource(),
            attributes.subresource(),
            attributes.namespace(),
            attributes.name());
    FaultSchedule.Effect effect = faults.nextEffect(request);
    delay(effect.delay());
    FaultSchedule.Failure failure = effect.failure();
    if (failure != null && !effect.afterwards()) {
      throw failure.of(request);
    }
    ApiResponse reply = gate.answer(call, peer);
    if (failure != null) {
      throw failure.of(request);
    }
    return reply instanceof ApiResponse.Streamed streamed && request.verb().equals("watch")
        ? droppable(streamed)
        : reply;
  }

  /** Sleeps in the request's own thread. */
  private static void delay(Duration delay) throws IOException {
    try {
      Thread.sleep(delay);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server stops");
    }
  }

  private ApiResponse droppable(ApiResponse.Streamed watch) {
    ApiResponse.Body body =
        sink -> {
          WatchConnection connection = new WatchConnection(sink);
          faults.addWatch(connection);
          try {
            watch.body().writeTo(connection);
          } finally {
            faults.removeWatch(connection);
          }
          if (connection.dropped) {
            throw new IOException("the test has dropped the watch");
          }
        };
    return new ApiResponse.Streamed(watch.code(), watch.type(), body, watch.headers());
  }

  /** The connection of a watch to its client; running it cuts the connection. */
  private static final class WatchConnection implements ApiResponse.Sink, Runnable {
    private final ApiResponse.Sink sink;
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
    private volatile boolean dropped;

    WatchConnection(ApiResponse.Sink sink) {
      this.sink = sink;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      if (dropped) {
        throw new IOException("the test has dropped the watch");
      }
      sink.write(bytes);
    }

    @Override
    public void onClose(Runnable task) {
      tasks.add(task);
      sink.onClose(task);
      if (dropped) {
        task.run();
      }
    }

    @Override
    public void run() {
      dropped = true;
      tasks.forEach(Runnable::run);
    }
  }
}
