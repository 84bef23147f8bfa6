package dev.stint.embedded.share;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The cluster of the process that holds a data directory. Once the connection is lost, every
 * request fails with a {@link ClusterException} for which {@link #isLoss} is true. The connection
 * to a process that is stopped counts as lost after a while.
 */
public final class ClusterClient implements Cluster, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterClient.class);

  /** The most bytes that wait for the holder: more than any command sends, as the holder reads. */
  private static final long MOST_UNSENT = 256 << 20;

  /** The time in which a holder greets. */
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** The loss of a connection, as the cause of failures. */
  static final class Loss extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** A request whose answer has not arrived, or a watch. */
  private interface Pending {
    /** Receives a message; returns true if it was the last one. */
    boolean onMessage(ObjectNode message);

    void onFailure(ClusterException cause);
  }

  private final MessageChannel channel;
  private final HolderInfo holder;

  /** Completes futures apart from what reads messages, since what follows may wait. */
  private final Executor answers;

  private final Heartbeat heartbeat;
  private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private final CompletableFuture<@Nullable Void> lost = new CompletableFuture<>();
  private volatile boolean handsOver;

  private ClusterClient(
      MessageChannel channel, HolderInfo holder, Timers timers, Executor answers) {
    this.channel = channel;
    this.holder = holder;
    this.answers = answers;
    this.heartbeat =
        new Heartbeat(
            timers, Heartbeat.INTERVAL, () -> !pending.isEmpty(), this::ping, this::onSilence);
  }

  /**
   * Connects to the process that holds a data directory.
   *
   * @throws OtherVersionException if it serves in another way
   * @throws SilentHolderException if it does not answer
   * @throws IOException if nobody serves there
   */
  public static ClusterClient connect(Path directory, Timers timers) throws IOException {
    FrameChannel channel =
        new FrameChannel(PrivateSocket.connect(directory), "holder", MOST_UNSENT);
    AtomicBoolean late = new AtomicBoolean();
    Runnable cancel =
        awaitGreeting(
            timers,
            () -> {
              late.set(true);
              channel.close();
            });
    try {
      ObjectNode greeting = channel.read();
      if (greeting == null) {
        throw new IOException("the holder accepts no more connections");
      }
      ClusterClient client = greeted(channel, greeting, timers, ClusterClient::onVirtualThread);
      SocketThread.start("stint-holder", () -> client.read(channel));
      return client;
    } catch (IOException | RuntimeException fault) {
      channel.close();
      if (late.get()) {
        throw new SilentHolderException();
      }
      throw fault;
    } finally {
      cancel.run();
    }
  }

  /**
   * Waits until a holder must have greeted.
   *
   * @param onSilence called then, unless the caller has cancelled that
   * @return cancels it
   */
  public static Runnable awaitGreeting(Timers timers, Runnable onSilence) {
    Duration interval = CONNECT_TIMEOUT.dividedBy(Heartbeat.MOST_MISSED + 1);
    Heartbeat greeting = new Heartbeat(timers, interval, () -> true, () -> {}, onSilence);
    greeting.start();
    return greeting::close;
  }

  /**
   * Begins to use a connection, whose messages are to be given to {@link #onMessage}.
   *
   * @param greeting its first message
   * @param answers completes the futures of requests
   * @throws OtherVersionException if the holder serves in another way
   */
  public static ClusterClient greeted(
      MessageChannel channel, ObjectNode greeting, Timers timers, Executor answers)
      throws OtherVersionException {
    if (!Integer.valueOf(HolderInfo.PROTOCOL).equals(Json.integer(greeting, "protocol"))) {
      throw new OtherVersionException();
    }
    ClusterClient client = new ClusterClient(channel, HolderInfo.of(greeting), timers, answers);
    client.heartbeat.start();
    return client;
  }

  /** True if a request failed because the connection was lost; it may have been carried out. */
  public static boolean isLoss(Throwable failure) {
    return ClusterException.causeOf(failure).getCause() instanceof Loss;
  }

  /** Returns the process that holds the directory. */
  public HolderInfo holder() {
    return holder;
  }

  /** Completes when the connection is lost or closed. */
  public CompletableFuture<@Nullable Void> lost() {
    return lost;
  }

  /**
   * Claims Jobs until this client closes. Waits until they are free. Fails with {@code CONFLICT} if
   * another command has one of them.
   *
   * @param claims with the same surroundings; at least one
   */
  public CompletableFuture<?> claim(List<JobClaim> claims) {
    ObjectNode message = Json.object().put("op", "claim");
    message.set("surroundings", SurroundingsJson.write(claims.getFirst().surroundings()));
    ArrayNode jobs = message.putArray("jobs");
    claims.forEach(claim -> jobs.add(claim.toJson()));
    return request(message);
  }

  private static void onVirtualThread(Runnable task) {
    Thread.ofVirtual().name("stint-answer").start(task);
  }

  private void ping() {
    request(Json.object().put("op", "ping"));
  }

  private void onSilence() {
    LOG.warn(
        "{} does not answer; connecting again. If it is stopped, let it go on with: kill -CONT {}",
        holder,
        holder.pid());
    close();
  }

  /** Drops all claims of this client: its Jobs have ended, or were interrupted. */
  public CompletableFuture<?> release() {
    return request(Json.object().put("op", "release"));
  }

  /**
   * Asks the holder to let this process hold the directory. It releases the lock soon, and joins
   * the next holder.
   */
  public CompletableFuture<?> takeOver() {
    return request(Json.object().put("op", "takeOver"));
  }

  /** True if the holder has announced that it hands the directory over to another process. */
  public boolean handsOver() {
    return handsOver;
  }

  /** Returns the keys of all Jobs that are claimed, see {@link JobClaim#key}. */
  public CompletableFuture<Set<String>> claims() {
    return request(Json.object().put("op", "claims"))
        .thenApply(answer -> {
          Set<String> keys = new TreeSet<>();
          answer.path("jobs").forEach(key -> keys.add(key.stringValue("")));
          return keys;
        });
  }

  @Override
  public void close() {
    heartbeat.close();
    channel.close();
    onLoss();
  }

  /** Handles a message of the holder. */
  public void onMessage(ObjectNode message) {
    heartbeat.onMessage();
    handsOver |= message.has(ServedConnection.HANDS_OVER);
    Long id = Json.longInteger(message, "id");
    Pending receiver = id == null ? null : pending.get(id);
    if (receiver != null && receiver.onMessage(message)) {
      pending.remove(id);
    }
  }

  private void read(FrameChannel from) {
    try {
      for (ObjectNode next = from.read(); next != null; next = from.read()) {
        onMessage(next);
      }
    } catch (IOException gone) {
      LOG.debug("The connection to {} broke: {}", holder, gone.toString());
    } catch (RuntimeException malformed) {
      LOG.warn("Cannot read an answer of {}; closing the connection", holder, malformed);
    }
    close();
  }

  private void onLoss() {
    lost.complete(null);
    for (Long id : List.copyOf(pending.keySet())) {
      Pending receiver = pending.remove(id);
      if (receiver != null) {
        receiver.onFailure(loss());
      }
    }
  }

  private ClusterException loss() {
    return loss(holder.toString());
  }

  static ClusterException loss(String holder) {
    return new ClusterException(
        Reason.UNAVAILABLE, "the connection to " + holder + " was lost", List.of(), new Loss());
  }

  private static ClusterException tooLarge() {
    return new ClusterException(
        Reason.BAD_REQUEST,
        "the request is larger than " + (FrameChannel.MOST_FRAME_BYTES >> 20) + " MiB");
  }

  private long send(ObjectNode message, Pending receiver) {
    long id = ids.incrementAndGet();
    pending.put(id, receiver);
    if (!channel.sendIfFits(message.put("id", id)) && pending.remove(id) != null) {
      receiver.onFailure(tooLarge());
    }
    if (lost.isDone()) {
      onLoss();
    }
    return id;
  }

  /** Sends a request with one answer. Its future completes on a thread that may wait. */
  private CompletableFuture<ObjectNode> request(ObjectNode message) {
    CompletableFuture<ObjectNode> answer = new CompletableFuture<>();
    send(
        message,
        new Pending() {
          @Override
          public boolean onMessage(ObjectNode received) {
            settle(answer, received, received);
            return true;
          }

          @Override
          public void onFailure(ClusterException cause) {
            answers.execute(() -> answer.completeExceptionally(cause));
          }
        });
    return answer;
  }

  private <T> void settle(CompletableFuture<T> answer, ObjectNode received, T value) {
    ObjectNode error = Json.objectAt(received, "error");
    answers.execute(() -> {
      if (error == null) {
        answer.complete(value);
      } else {
        answer.completeExceptionally(Wire.refusal(error));
      }
    });
  }

  private CompletableFuture<KubeObject> object(ObjectNode message) {
    return request(message).thenApply(answer -> KubeObject.of(Wire.object(answer, "object")));
  }

  private static ObjectNode message(String op, ObjectRef ref) {
    ObjectNode message = Json.object().put("op", op);
    message.set("ref", Wire.of(ref));
    return message;
  }

  private static ObjectNode message(String op, KubeObject object) {
    ObjectNode message = Json.object().put("op", op);
    message.set("object", object.tree());
    return message;
  }

  private static ObjectNode message(String op, Kind kind, @Nullable String namespace) {
    ObjectNode message = Json.object().put("op", op).put("namespace", namespace);
    message.set("kind", Wire.of(kind));
    return message;
  }

  private static ObjectNode patch(String op, ObjectRef ref, ObjectNode patch) {
    ObjectNode message = message(op, ref);
    message.set("patch", patch);
    return message;
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return object(message("get", ref));
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    Map<String, KubeObject> all = new LinkedHashMap<>();
    List<String> revision = new ArrayList<>();
    return list(
            kind,
            namespace,
            part -> {
              if (!revision.equals(List.of(part.resourceVersion()))) {
                all.clear();
                revision.clear();
                revision.add(part.resourceVersion());
              }
              part.items().forEach(item -> all.put(item.namespace() + "/" + item.name(), item));
              return CompletableFuture.completedFuture(null);
            })
        .thenApply(complete -> new ObjectList(List.copyOf(all.values()), complete));
  }

  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    CompletableFuture<String> complete = new CompletableFuture<>();
    send(
        message("list", kind, namespace),
        new Pending() {
          @Override
          public boolean onMessage(ObjectNode message) {
            if (!message.has("part")) {
              settle(complete, message, message.path("revision").stringValue(""));
              return true;
            }
            long id = message.path("id").longValue();
            answers.execute(() -> take(id, part(message)));
            return false;
          }

          private void take(long id, ObjectList part) {
            CompletableFuture<?> ready;
            try {
              ready = each.apply(part);
            } catch (RuntimeException fault) {
              ready = CompletableFuture.failedFuture(fault);
            }
            ready.whenComplete((_, failure) -> {
              if (failure == null) {
                channel.send(Json.object().put("op", "next").put("id", id));
              } else {
                pending.remove(id);
                complete.completeExceptionally(failure);
              }
            });
          }

          @Override
          public void onFailure(ClusterException cause) {
            answers.execute(() -> complete.completeExceptionally(cause));
          }
        });
    return complete;
  }

  private static ObjectList part(ObjectNode message) {
    List<KubeObject> items = new ArrayList<>();
    for (JsonNode item : message.path("items")) {
      items.add(KubeObject.of((ObjectNode) item));
    }
    return new ObjectList(items, Wire.text(message, "part"));
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    long id =
        send(message("watch", kind, namespace).put("after", afterRevision), new Watching(handler));
    return () -> {
      if (pending.remove(id) != null) {
        channel.send(Json.object().put("op", "stop").put("id", id));
      }
    };
  }

  /** Passes on the events of a watch. */
  private record Watching(WatchHandler handler) implements Pending {
    @Override
    public boolean onMessage(ObjectNode message) {
      ObjectNode error = Json.objectAt(message, "error");
      if (error != null || message.has("closed")) {
        handler.onClosed(error == null ? null : Wire.refusal(error));
        return true;
      }
      List<WatchEvent> events = new ArrayList<>();
      message.path("events").forEach(event -> events.add(Wire.event(event)));
      handler.onEvents(events);
      return false;
    }

    @Override
    public void onFailure(ClusterException cause) {
      handler.onClosed(cause);
    }
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return object(message("create", object));
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return object(message("update", object));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return object(message("updateStatus", object));
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return object(patch("patch", ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return object(patch("patchStatus", ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return object(message("updateFinalize", namespace));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    ObjectNode message = message("delete", ref);
    message.set("options", Wire.of(options));
    return request(message).thenApply(_ -> null);
  }
}
