package dev.stint.testkit;

import dev.stint.apiserver.access.Attributes;
import dev.stint.apiserver.http.AccessGate;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Gate;
import dev.stint.apiserver.http.Peer;
import dev.stint.apiserver.http.Reply;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Lets requests over HTTP go wrong as a test wants them to. */
final class FaultyGate implements Gate {
  private final Gate gate;
  private final Faults faults;

  FaultyGate(Gate gate, Faults faults) {
    this.gate = gate;
    this.faults = faults;
  }

  @Override
  public Reply answer(Call call, Peer peer) throws IOException {
    Attributes asked = AccessGate.attributes(call, call.user());
    if (asked.nonResourcePath() != null) {
      return gate.answer(call, peer);
    }
    ApiRequest request =
        new ApiRequest(
            asked.verb(), asked.resource(), asked.subresource(), asked.namespace(), asked.name());
    Faults.Effect effect = faults.next(request);
    pass(effect.delay());
    Faults.Failure failure = effect.failure();
    if (failure != null && !effect.afterwards()) {
      throw failure.of(request);
    }
    Reply reply = gate.answer(call, peer);
    if (failure != null) {
      throw failure.of(request);
    }
    return reply instanceof Reply.Streamed streamed && request.verb().equals("watch")
        ? droppable(streamed)
        : reply;
  }

  /** In the request's own thread. */
  private static void pass(Duration delay) throws IOException {
    try {
      Thread.sleep(delay);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server stops");
    }
  }

  private Reply droppable(Reply.Streamed watch) {
    Reply.Body body =
        sink -> {
          Line line = new Line(sink);
          faults.watching(line);
          try {
            watch.body().writeTo(line);
          } finally {
            faults.ended(line);
          }
          if (line.dropped) {
            throw new IOException("the test has dropped the watch");
          }
        };
    return new Reply.Streamed(watch.code(), watch.type(), body, watch.headers());
  }

  /** A watch's way to its client; run to cut it. */
  private static final class Line implements Reply.Sink, Runnable {
    private final Reply.Sink sink;
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
    private volatile boolean dropped;

    Line(Reply.Sink sink) {
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
