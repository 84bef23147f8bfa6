package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.ListPage;
import dev.stint.apiserver.UnreadItems;
import dev.stint.apiserver.Watches;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.PendingWrites;
import dev.stint.apiserver.http.view.CustomResourceView;
import dev.stint.apiserver.http.view.EventPieces;
import dev.stint.apiserver.http.view.ResponseRenderer;
import dev.stint.apiserver.table.Columns;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One watch over HTTP.
 *
 * <p>It runs in the request's own thread, which blocks while a client is slow. Meanwhile the watch
 * is only a position in the store's log: a client that falls behind the log gets 410 and lists
 * again.
 */
public final class WatchStream implements ApiResponse.Body {
  private static final Duration BOOKMARKS = Duration.ofMinutes(1);
  private static final long SHORTEST_SECONDS = 1800;
  private static final long LONGEST_SECONDS = Duration.ofDays(365).toSeconds();

  private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

  private final ApiServer api;
  private final InstantSource steady;
  private final PendingWrites unanswered;
  private final Kind kind;
  private final @Nullable String namespace;
  private final ListParameters parameters;
  private final ResponseRenderer rendering;

  /**
   * @param steady measures how long the watch lasts, whatever becomes of the time of day
   */
  public WatchStream(
      ApiServer api,
      InstantSource steady,
      PendingWrites unanswered,
      Kind kind,
      @Nullable String namespace,
      ListParameters parameters,
      ResponseRenderer rendering) {
    this.api = api;
    this.steady = steady;
    this.unanswered = unanswered;
    this.kind = kind;
    this.namespace = namespace;
    this.parameters = parameters;
    this.rendering = rendering;
  }

  @Override
  public void writeTo(ApiResponse.Sink sink) throws IOException, InterruptedException {
    BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    Run run = new Run(sink);
    sink.onClose(() -> tasks.add(run::end));
    long from;
    try {
      from = run.start();
    } catch (ClusterException failed) {
      run.onClosed(failed);
      return;
    }
    Watches.Watcher watcher =
        api.watches().watch(kind, namespace, from, matching(), tasks::add, run);
    try (watcher;
        Watch _ = definition(tasks, watcher, run)) {
      run.serve(tasks, watcher);
    }
  }

  private Predicate<KubeObject> matching() {
    return parameters.matching(rendering.view());
  }

  /** Follows the definition of a custom kind. */
  private Watch definition(BlockingQueue<Runnable> tasks, Watches.Watcher watcher, Run run) {
    return rendering.view() instanceof CustomResourceView view
        ? DefinitionWatch.start(
            api, view, tasks::add, revision -> onRedefined(revision, tasks, watcher, run))
        : () -> {};
  }

  /** Ends the watch once it has sent what came before the change of the definition. */
  private static void onRedefined(
      long revision, BlockingQueue<Runnable> tasks, Watches.Watcher watcher, Run run) {
    if (watcher.revision() >= revision) {
      run.end();
    } else {
      tasks.add(() -> onRedefined(revision, tasks, watcher, run));
    }
  }

  private Instant deadline() {
    Long asked = parameters.timeoutSeconds();
    long seconds =
        asked != null
            ? Math.clamp(asked, 0, LONGEST_SECONDS)
            : SHORTEST_SECONDS + ThreadLocalRandom.current().nextLong(SHORTEST_SECONDS);
    return steady.instant().plusSeconds(seconds);
  }

  /** The state of one watch; confined to one thread. */
  private final class Run implements WatchHandler {
    private final ApiResponse.Sink sink;
    private final Instant deadline = deadline();
    private boolean ended;
    private boolean first = true;
    private Columns columns = rendering.columns();
    private long marked;

    Run(ApiResponse.Sink sink) {
      this.sink = sink;
    }

    /** Sends the initial events, if requested, and returns the revision to continue from. */
    long start() throws IOException {
      Long asked = parameters.revision();
      if (!parameters.initialEvents()) {
        marked = asked != null && asked != 0 ? asked : api.registry().revision();
        return begin(marked);
      }
      UnreadItems existing = existing();
      marked = begin(existing.revision());
      long memory = existing.memory();
      if (!sink.takes(memory)) {
        throw new ClusterException(
            Reason.TOO_MANY_REQUESTS,
            "too many long lists wait to be read, please try again later");
      }
      Runnable unfollow = existing.follow();
      try {
        send(existing);
      } finally {
        unfollow.run();
        sink.givesBack(memory);
      }
      return marked;
    }

    private UnreadItems existing() {
      ListPage page =
          BlockingCall.on(
              api.registry()
                  .list(parameters.query(kind, namespace, Long.MAX_VALUE, rendering.view())));
      return new UnreadItems(page.withoutObjects());
    }

    private void send(UnreadItems existing) throws IOException {
      EventPieces pieces = new EventPieces(sink, this::append, rendering.view());
      for (int i = 0; i < existing.size(); i++) {
        int index = i;
        pieces.add("ADDED", existing.length(i), () -> existing.object(index));
      }
      if (parameters.bookmarks()) {
        KubeObject bookmark = bookmark(marked, true);
        pieces.add(EventPieces.BOOKMARK, 0, () -> bookmark);
      }
      pieces.flush();
    }

    private long begin(long revision) {
      boolean managed =
          rendering.isTable()
              && kind.equals(Kind.JOB)
              && api.registry().hasManagedJob(namespace, revision);
      columns = managed ? rendering.columns().withManager() : rendering.columns();
      return revision;
    }

    void serve(BlockingQueue<Runnable> tasks, Watches.Watcher watcher)
        throws IOException, InterruptedException {
      Instant nextMark = steady.instant().plus(BOOKMARKS);
      while (!ended) {
        Instant now = steady.instant();
        if (!now.isBefore(deadline)) {
          mark(watcher.revision());
          return;
        }
        if (!now.isBefore(nextMark)) {
          mark(watcher.revision());
          nextMark = now.plus(BOOKMARKS);
        }
        Instant next = nextMark.isBefore(deadline) ? nextMark : deadline;
        Runnable task =
            tasks.poll(Duration.between(now, next).toMillis() + 1, TimeUnit.MILLISECONDS);
        if (task != null) {
          unanswered.await();
          task.run();
        }
      }
    }

    private void mark(long revision) throws IOException {
      if (parameters.bookmarks() && revision > marked) {
        marked = revision;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        append(out, EventPieces.BOOKMARK, bookmark(revision, false));
        sink.write(out.toByteArray());
      }
    }

    void end() {
      ended = true;
    }

    @Override
    public void onEvent(WatchEvent event) {
      onEvents(List.of(event));
    }

    @Override
    public void onEvents(List<WatchEvent> batch) {
      EventPieces pieces = new EventPieces(sink, this::append, rendering.view());
      try {
        for (WatchEvent event : batch) {
          if (ended) {
            return;
          }
          pieces.add(event.type().name(), rendering.length(event.object()), event::object);
        }
        pieces.flush();
      } catch (IOException gone) {
        end(); // A client that has disconnected ends its watch without an error.
      } catch (ClusterException failed) {
        onClosed(failed);
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      if (cause != null) {
        send(rendering.error(cause));
      }
      end();
    }

    /** Sends a batch. A client that has disconnected ends its watch without an error. */
    private void send(byte[] bytes) {
      try {
        sink.write(bytes);
      } catch (IOException gone) {
        end();
      }
    }

    private void append(ByteArrayOutputStream out, String type, KubeObject object) {
      rendering.event(out, type, object, columns, first);
      first = false;
    }

    /** Returns a bookmark, an object with nothing but the revision of the watch. */
    private KubeObject bookmark(long revision, boolean initialEventsEnd) {
      ObjectNode object = Json.object();
      Kind shown = rendering.view().kind(kind);
      object.put("kind", shown.kind());
      object.put("apiVersion", shown.apiVersion());
      ObjectNode metadata = object.putObject("metadata");
      metadata.put("resourceVersion", Long.toString(revision));
      if (initialEventsEnd) {
        metadata.putObject("annotations").put(INITIAL_EVENTS_END, "true");
      }
      return KubeObject.of(object);
    }
  }
}
