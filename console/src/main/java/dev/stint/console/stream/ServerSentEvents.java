package dev.stint.console.stream;

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
public final class ServerSentEvents implements ApiResponse.Body {
  private static final Logger LOG = LoggerFactory.getLogger(ServerSentEvents.class);

  public static final String TYPE = "text/event-stream; charset=utf-8";

  /** The shortest time between two batches. */
  public static final Duration GAP = Duration.ofMillis(200);

  /**
   * The interval of heartbeats while nothing changes; they reveal that a client has disconnected.
   */
  public static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(15);

  private static final byte[] BEGINNING = utf8("retry: 2000\n\n");
  private static final byte[] HEARTBEAT = utf8(":\n\n");

  private final Function<Runnable, ChangeFeed> opening;
  private final Supplier<ChangeSignal> signals;

  /**
   * @param opening opens the feed, which runs the given task when there is something new
   */
  public ServerSentEvents(Function<Runnable, ChangeFeed> opening, Supplier<ChangeSignal> signals) {
    this.opening = opening;
    this.signals = signals;
  }

  /** Returns the response that streams the events. */
  public ApiResponse.Streamed reply() {
    return new ApiResponse.Streamed(200, TYPE, this, List.of());
  }

  @Override
  public void writeTo(ApiResponse.Sink sink) throws IOException, InterruptedException {
    ChangeSignal signal = signals.get();
    sink.onClose(signal::close);
    sink.write(BEGINNING);
    try (ChangeFeed feed = opening.apply(signal::raise)) {
      signal.raise();
      serve(feed, signal, sink);
    } catch (ClusterException away) {
      LOG.info("Cannot send changes to a page, which will reconnect: {}", away.getMessage());
    }
  }

  private static void serve(ChangeFeed feed, ChangeSignal signal, ApiResponse.Sink sink)
      throws IOException, InterruptedException {
    while (!feed.hasEnded()) {
      switch (signal.await(HEARTBEAT_INTERVAL)) {
        case CHANGE -> {
          send(feed.take(), sink);
          signal.pause(GAP);
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
