package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.RetryAfter;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.cluster.protobuf.ProtobufEvents;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * A watch over a series of connections (Kubernetes API Concepts, Efficient detection of changes):
 * the API ends each after some minutes, networks break them, and each new one resumes at the last
 * event or bookmark. The watch ends if the API reports that it cannot be resumed.
 *
 * <p>One virtual thread of the watch's own accesses all of its state, and calls the handler.
 */
final class KubeWatch implements Watch {
  private static final Logger LOG = LoggerFactory.getLogger(KubeWatch.class);

  /** The time for which the API is asked to keep a connection. */
  private static final Duration CONNECTION = Duration.ofMinutes(5);

  /** The time after which a connection is dead if the API has not ended it. */
  static final Duration DATA_TIMEOUT = CONNECTION.plusSeconds(30);

  /** The back-off of at most four seconds: watches resume within seconds of the API's return. */
  private static final ExponentialBackoff RETRY =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(4));

  private final ExecutorService loop =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("stint-kube-watch").factory());
  private final RestClient rest;
  private final Timers timers;
  private final Kind kind;
  private final String path;
  private final WatchHandler handler;
  private String revision;
  private int failures;
  private @Nullable Connection connection;
  private Runnable cancelTimer = () -> {};
  private volatile boolean closed;

  KubeWatch(
      RestClient rest,
      Timers timers,
      Kind kind,
      @Nullable String namespace,
      String afterRevision,
      WatchHandler handler) {
    this.rest = rest;
    this.timers = timers;
    this.kind = kind;
    this.path = ResourcePath.collection(kind, namespace);
    this.revision = afterRevision;
    this.handler = handler;
  }

  void start() {
    submit(this::connect);
  }

  @Override
  public void close() {
    closed = true;
    submit(this::release);
    loop.shutdown();
  }

  private void connect() {
    if (closed) {
      return;
    }
    Connection next = new Connection();
    connection = next;
    cancelTimer =
        timers.after(DATA_TIMEOUT, () -> submit(() -> next.fail("no data arrived in time")));
    String query =
        "?watch=true&allowWatchBookmarks=true&timeoutSeconds=%d&resourceVersion=%s"
            .formatted(CONNECTION.toSeconds(), ResourcePath.encoded(revision));
    rest.watch(path + query, next)
        .whenComplete((response, failure) -> submit(() -> next.onOpened(response, failure)));
  }

  /**
   * Reconnects after a delay that grows with each failure.
   *
   * @param retryAfter the delay that the API requests; null if it requests none
   */
  private void reconnect(@Nullable Duration retryAfter) {
    if (rest.isClosed()) {
      endWith(null);
    } else if (failures == 0) {
      connect();
    } else {
      Duration delay = RetryAfter.atLeast(RETRY.delay(failures), retryAfter);
      cancelTimer = timers.after(delay, () -> submit(this::connect));
    }
  }

  private void endWith(@Nullable ClusterException cause) {
    if (!closed) {
      closed = true;
      release();
      loop.shutdown();
      handler.onClosed(cause);
    }
  }

  private void release() {
    cancelTimer.run();
    Connection open = connection;
    connection = null;
    if (open != null) {
      open.cancel();
    }
  }

  /** Runs a task on the watch's thread; does nothing after the watch has ended. */
  private void submit(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException ended) {
      LOG.trace("Ignoring a task: the watch of {} is closed", path);
    }
  }

  private void deliver(WatchEvent event) {
    try {
      handler.onEvent(event);
    } catch (RuntimeException fault) {
      LOG.error(
          "A handler failed on {} of {}; continuing with the next event",
          event.type(),
          event.object(),
          fault);
    }
  }

  /** One request and its answer. Only the watch's current connection has any effect. */
  private final class Connection implements AsyncBody.Consumer<List<ByteBuffer>> {
    private final LineSplitter lines = new LineSplitter();
    private final ProtobufEvents messages = new ProtobufEvents();
    private boolean isProtobuf;
    private final ByteArrayOutputStream refusal = new ByteArrayOutputStream();

    /** True if the API was asked in JSON already, so that asking so again is of no use. */
    private final boolean isAskedInJson = rest.usesJson();

    private @Nullable AsyncBody body;
    private int code;
    private @Nullable Duration retryAfter;
    private boolean progress;

    void onOpened(@Nullable HttpResponse<AsyncBody> response, @Nullable Throwable failure) {
      if (response == null) {
        fail(failure == null ? "no answer" : ClusterException.causeOf(failure).getMessage());
        return;
      }
      code = response.code();
      isProtobuf = RestClient.isProtobuf(response);
      retryAfter = RetryAfter.of(response.header("Retry-After"));
      body = response.body();
      if (this != connection) {
        cancel();
        return;
      }
      body.done().whenComplete((_, broken) -> submit(() -> onBodyEnd(broken)));
      body.consume();
    }

    /**
     * Receives bytes on the client's thread; the next ones come only after the body was asked for
     * more.
     */
    @Override
    public void consume(List<ByteBuffer> bytes, AsyncBody from) {
      submit(() -> {
        bytes.forEach(this::onBytes);
        from.consume();
      });
    }

    private void onBytes(ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      if (HttpResponse.isSuccessful(code)) {
        split(bytes);
      } else {
        refusal.writeBytes(bytes);
      }
    }

    private void split(byte[] bytes) {
      try {
        if (isProtobuf) {
          messages.split(bytes, this::onMessage);
        } else {
          lines.split(bytes, this::onLine);
        }
      } catch (ClusterException unreadable) {
        if (!isAskedInJson && rest.needsJson(unreadable)) {
          fail(unreadable.getMessage());
        } else {
          endWith(incomprehensible(unreadable.getMessage()));
        }
      } catch (JacksonException | ClassCastException notAnEvent) {
        endWith(incomprehensible(notAnEvent.getMessage()));
      }
    }

    private void onMessage(ProtobufEvents.Event event) {
      boolean isObject = !event.type().equals("ERROR") && !event.type().equals("BOOKMARK");
      onEvent(
          event.type(),
          () -> {
            boolean complete = isObject && ApiAnswer.mustBeComplete(kind);
            KubeObject object = ProtobufDocument.object(event.object(), complete);
            return isObject ? ApiAnswer.whole(kind, object) : object;
          });
    }

    private void onLine(byte[] line) {
      ObjectNode event = Json.parse(line);
      ObjectNode object = Json.objectAt(event, "object");
      if (object == null) {
        throw new ClassCastException("an event without an object");
      }
      onEvent(String.valueOf(Json.text(event, "type")), () -> KubeObject.of(object));
    }

    private void onEvent(String type, Supplier<KubeObject> object) {
      if (this != connection || closed) {
        return;
      }
      switch (type) {
        case "ADDED" -> onChange(WatchEvent.Type.ADDED, object.get());
        case "MODIFIED" -> onChange(WatchEvent.Type.MODIFIED, object.get());
        case "DELETED" -> onChange(WatchEvent.Type.DELETED, object.get());
        case "BOOKMARK" -> onRevision(object.get());
        case "ERROR" -> endWith(StatusReader.of(object.get().tree()));
        default -> endWith(incomprehensible("an event of type " + type));
      }
    }

    private void onChange(WatchEvent.Type type, KubeObject object) {
      onRevision(object);
      deliver(new WatchEvent(type, object));
    }

    private void onRevision(KubeObject object) {
      progress = true;
      if (!object.resourceVersion().isEmpty()) {
        revision = object.resourceVersion();
      }
    }

    private void onBodyEnd(@Nullable Throwable broken) {
      if (this != connection) {
        return;
      }
      if (broken != null) {
        fail(ClusterException.causeOf(broken).getMessage());
      } else if (HttpResponse.isSuccessful(code)) {
        failures = progress ? 0 : 1;
        retry();
      } else {
        onRefused(StatusReader.of(code, refusal.toByteArray()));
      }
    }

    private void onRefused(ClusterException why) {
      if (why.isTransient() || !isAskedInJson && rest.needsJson(why)) {
        fail(why.getMessage());
      } else {
        endWith(why);
      }
    }

    /** Closes this connection, but not the watch. */
    void fail(@Nullable String why) {
      if (this == connection && !closed) {
        LOG.debug("Reconnecting the watch of {} after revision {}: {}", path, revision, why);
        failures = progress ? 1 : failures + 1;
        retry();
      }
    }

    private void retry() {
      release();
      reconnect(retryAfter);
    }

    void cancel() {
      if (body != null) {
        body.cancel();
      }
    }

    private ClusterException incomprehensible(@Nullable String why) {
      return new ClusterException(Reason.INTERNAL, "the watch of " + path + " is invalid: " + why);
    }
  }
}
