package dev.stint.embedded.share;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.process.user.Surroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One command that uses the cluster of this process. Bounded: its requests, and what it reads. */
public final class ServedConnection implements AutoCloseable {
  /** The member of the message that tells that the holder hands the directory over. */
  static final String HANDS_OVER = "handsOver";

  private static final int MOST_REQUESTS = 128;
  private static final int MOST_WATCHES = 64;
  static final long MOST_UNSENT = 64 << 20;

  /** The number of unread bytes above which a watch ends, so that its client lists again. */
  private static final long MOST_UNSENT_OF_WATCHES = MOST_UNSENT / 2;

  /**
   * The size of a message above which the rest of a list or of a batch of events is another one.
   */
  private static final int PART_BYTES = 1 << 20;

  private final MessageChannel channel;
  private final HolderInfo holder;
  private final Cluster cluster;
  private final Claims claims;
  private final @Nullable Runnable handOver;
  private final Semaphore requests = new Semaphore(MOST_REQUESTS);
  private final Map<Long, Watch> watches = new ConcurrentHashMap<>();

  /** Lists whose next part waits until the client has taken the last one. */
  private final Map<Long, CompletableFuture<@Nullable Void>> taken = new ConcurrentHashMap<>();

  /**
   * @param handOver hands the directory over, without waiting; null to keep it
   */
  public ServedConnection(
      MessageChannel channel,
      HolderInfo holder,
      Cluster cluster,
      Claims claims,
      @Nullable Runnable handOver) {
    this.channel = channel;
    this.holder = holder;
    this.cluster = cluster;
    this.claims = claims;
    this.handOver = handOver;
  }

  /** Introduces the holder to the client. */
  public void greet() {
    channel.send(holder.toJson());
  }

  @Override
  public void close() {
    channel.close();
    watches.values().forEach(Watch::close);
    taken.values().forEach(each -> each.completeExceptionally(unavailable()));
  }

  private static ClusterException unavailable() {
    return new ClusterException(Reason.UNAVAILABLE, "the connection is closed");
  }

  /**
   * Handles a message of the client.
   *
   * @throws InterruptedException if it is interrupted while the client has too many requests
   */
  public void onMessage(ObjectNode message) throws InterruptedException {
    Long id = Json.longInteger(message, "id");
    if (id == null) {
      close();
      return;
    }
    try {
      switch (Wire.text(message, "op")) {
        case "next" -> onTaken(id);
        case "stop" -> stop(id);
        case "ping" -> channel.send(Json.object().put("id", id));
        case "watch" -> watch(id, message);
        case "list" -> answer(id, list(id, message));
        default -> answer(id, request(message));
      }
    } catch (RuntimeException malformed) {
      refuse(id, new ClusterException(Reason.BAD_REQUEST, "malformed request: " + malformed));
    }
  }

  private void answer(long id, CompletableFuture<ObjectNode> request) throws InterruptedException {
    requests.acquire();
    request.whenComplete((answer, failure) -> {
      requests.release();
      if (failure == null) {
        channel.send(answer.put("id", id));
      } else {
        refuse(id, failure);
      }
    });
  }

  private void refuse(long id, Throwable failure) {
    ObjectNode answer = Json.object().put("id", id);
    answer.set("error", Wire.of(Wire.refusal(failure)));
    channel.send(answer);
  }

  private CompletableFuture<ObjectNode> request(ObjectNode message) {
    return switch (Wire.text(message, "op")) {
      case "get" -> object(cluster.get(ref(message)));
      case "create" -> object(create(subject(message)));
      case "update" -> object(cluster.update(subject(message)));
      case "updateStatus" -> object(cluster.updateStatus(subject(message)));
      case "updateFinalize" -> object(cluster.updateFinalize(subject(message)));
      case "patch" -> object(cluster.patch(ref(message), Wire.object(message, "patch")));
      case "patchStatus" ->
          object(cluster.patchStatus(ref(message), Wire.object(message, "patch")));
      case "delete" ->
          cluster
              .delete(ref(message), Wire.deleteOptions(Wire.object(message, "options")))
              .thenApply(_ -> Json.object());
      case "claim" -> claims.take(this, claims(message)).thenApply(_ -> Json.object());
      case "release" -> {
        claims.release(this);
        yield CompletableFuture.completedFuture(Json.object());
      }
      case "takeOver" -> handOver();
      case "claims" -> CompletableFuture.completedFuture(claimed());
      default -> throw new IllegalArgumentException("unknown request");
    };
  }

  private CompletableFuture<ObjectNode> handOver() {
    if (handOver == null) {
      return CompletableFuture.failedFuture(
          new ClusterException(Reason.FORBIDDEN, holder + " keeps the directory"));
    }
    handOver.run();
    return CompletableFuture.completedFuture(Json.object());
  }

  /** Tells the client that another process takes the directory over. */
  public void announceHandOver() {
    channel.send(Json.object().put(HANDS_OVER, true));
  }

  boolean hasUnsent() {
    return channel.unsentBytes() > 0;
  }

  private static ObjectRef ref(ObjectNode message) {
    return Wire.ref(Wire.object(message, "ref"));
  }

  private static KubeObject subject(ObjectNode message) {
    return KubeObject.of(Wire.object(message, "object"));
  }

  private CompletableFuture<KubeObject> create(KubeObject object) {
    return cluster
        .create(object)
        .thenApply(made -> {
          if (made.kindName().equals(Kind.JOB.kind())) {
            claims.bind(this, made);
          }
          return made;
        });
  }

  private static CompletableFuture<ObjectNode> object(CompletableFuture<KubeObject> answer) {
    return answer.thenApply(object -> {
      ObjectNode tree = Json.object();
      tree.set("object", object.tree());
      return tree;
    });
  }

  private static List<JobClaim> claims(ObjectNode message) {
    Surroundings surroundings = SurroundingsJson.read(Wire.object(message, "surroundings"));
    List<JobClaim> claims = new ArrayList<>();
    for (JsonNode job : message.path("jobs")) {
      claims.add(JobClaim.of((ObjectNode) job, surroundings));
    }
    return claims;
  }

  private ObjectNode claimed() {
    ObjectNode answer = Json.object();
    ArrayNode keys = answer.putArray("jobs");
    claims.keys().forEach(keys::add);
    return answer;
  }

  private CompletableFuture<ObjectNode> list(long id, ObjectNode message) {
    Kind kind = Wire.kind(Wire.object(message, "kind"));
    return cluster
        .list(kind, Wire.optional(message, "namespace"), part -> send(id, part, 0))
        .thenApply(revision -> Json.object().put("revision", revision));
  }

  /** Sends a part of a list from an item on, in messages of bounded size. */
  private CompletableFuture<@Nullable Void> send(long id, ObjectList part, int from) {
    ObjectNode message = Json.object().put("id", id).put("part", part.resourceVersion());
    ArrayNode items = message.putArray("items");
    int next = from;
    for (long bytes = 0; next < part.items().size() && bytes < PART_BYTES; next++) {
      ObjectNode tree = part.items().get(next).tree();
      bytes += Json.bytes(tree).length;
      items.add(tree);
    }
    CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();
    taken.put(id, ready);
    channel.send(message);
    int rest = next;
    return rest == part.items().size() ? ready : ready.thenCompose(_ -> send(id, part, rest));
  }

  private void onTaken(long id) {
    CompletableFuture<@Nullable Void> ready = taken.remove(id);
    if (ready != null) {
      ready.complete(null);
    }
  }

  private void stop(long id) {
    Watch watch = watches.remove(id);
    if (watch != null) {
      watch.close();
    }
  }

  private void watch(long id, ObjectNode message) {
    if (watches.size() >= MOST_WATCHES) {
      refuse(
          id,
          new ClusterException(
              Reason.TOO_MANY_REQUESTS, "more than %d watches".formatted(MOST_WATCHES)));
      return;
    }
    Events events = new Events(id);
    Watch opened =
        cluster.watch(
            Wire.kind(Wire.object(message, "kind")),
            Wire.optional(message, "namespace"),
            Wire.text(message, "after"),
            events);
    watches.put(id, opened);
    if (events.ended) {
      stop(id);
    }
  }

  /** Sends the events of a watch. Ends it when its client does not read them. */
  private final class Events implements WatchHandler {
    private final long id;
    private volatile boolean ended;

    private Events(long id) {
      this.id = id;
    }

    @Override
    public void onEvent(WatchEvent event) {
      onEvents(List.of(event));
    }

    @Override
    public void onEvents(List<WatchEvent> batch) {
      int next = 0;
      while (next < batch.size() && !ended) {
        if (channel.unsentBytes() > MOST_UNSENT_OF_WATCHES) {
          onClosed(new ClusterException(Reason.GONE, "the client does not read its events"));
          return;
        }
        ObjectNode message = Json.object().put("id", id);
        next = addPart(batch, next, message.putArray("events"));
        channel.send(message);
      }
    }

    /** Adds the events of one message, from one on; returns the next one. */
    private static int addPart(List<WatchEvent> batch, int from, ArrayNode events) {
      int next = from;
      for (long bytes = 0; next < batch.size() && bytes < PART_BYTES; next++) {
        ObjectNode event = Wire.of(batch.get(next));
        bytes += batch.size() == 1 ? 0 : Json.bytes(event).length;
        events.add(event);
      }
      return next;
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      if (ended) {
        return;
      }
      ended = true;
      stop(id);
      ObjectNode message = Json.object().put("id", id).put("closed", true);
      if (cause != null) {
        message.set("error", Wire.of(cause));
      }
      channel.send(message);
    }
  }
}
