package dev.stint.console;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link ChangeFeed} as server-sent events. Changes are batched: a page receives them at most a
 * few times a second, and a slow client less often.
 */
final class EventStream implements ApiResponse.Body {
  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

  static final String TYPE = "text/event-stream; charset=utf-8";

  /** The shortest time between two batches. */
  static final Duration GAP = Duration.ofMillis(200);

  /**
   * The interval of heartbeats while nothing changes; they reveal that a client has disconnected.
   */
  static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(15);

  private static final byte[] BEGINNING = utf8("retry: 2000\n\n");
  private static final byte[] HEARTBEAT = utf8(":\n\n");

  private final Function<Runnable, ChangeFeed> opening;
  private final Supplier<WakeUp> wakeUps;

  /**
   * @param opening opens the feed, which runs the given task when there is something new
   */
  EventStream(Function<Runnable, ChangeFeed> opening, Supplier<WakeUp> wakeUps) {
    this.opening = opening;
    this.wakeUps = wakeUps;
  }

  /** Returns the response that streams the events. */
  ApiResponse.Streamed reply() {
    return new ApiResponse.Streamed(200, TYPE, this, List.of());
  }

  @Override
  public void writeTo(ApiResponse.Sink sink) throws IOException, InterruptedException {
    WakeUp wakeUp = wakeUps.get();
    sink.onClose(wakeUp::close);
    sink.write(BEGINNING);
    try (ChangeFeed feed = opening.apply(wakeUp::signal)) {
      wakeUp.signal();
      serve(feed, wakeUp, sink);
    } catch (ClusterException away) {
      LOG.info("Cannot send changes to a page, which will reconnect: {}", away.getMessage());
    }
  }

  private static void serve(ChangeFeed feed, WakeUp wakeUp, ApiResponse.Sink sink)
      throws IOException, InterruptedException {
    while (!feed.hasEnded()) {
      switch (wakeUp.await(HEARTBEAT_INTERVAL)) {
        case NEWS -> {
          send(feed.take(), sink);
          wakeUp.pause(GAP);
        }
        case SILENCE -> sink.write(HEARTBEAT);
        case END -> {
          return;
        }
      }
    }
    send(feed.take(), sink);
  }

  private static void send(List<ChangeFeed.Frame> frames, ApiResponse.Sink sink)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (ChangeFeed.Frame frame : frames) {
      out.writeBytes(utf8("event: " + frame.event() + "\ndata: "));
      out.writeBytes(Json.bytes(frame.data())); // JSON on one line
      out.writeBytes(utf8("\n\n"));
    }
    if (out.size() > 0) {
      sink.write(out.toByteArray());
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
