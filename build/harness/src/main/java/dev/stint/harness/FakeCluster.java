package dev.stint.harness;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Times;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * As much of a Kubernetes API as controllers ask for, for every kind, without any validation.
 * Answers and news travel on the test's executor.
 */
public final class FakeCluster implements Cluster {
  private static final String FOREGROUND = "foregroundDeletion";
  private static final String ORPHAN = "orphan";

  private record Watcher(Kind kind, WatchHandler handler) {}

  private final Executor loop;
  private final InstantSource clock;
  private final Map<ObjectRef, KubeObject> objects = new LinkedHashMap<>();
  private final List<WatchEvent> history = new ArrayList<>();
  private final List<Watcher> watchers = new ArrayList<>();
  private final List<Runnable> heldNews = new ArrayList<>();
  private long revision = 100;
  private int uids;

  /** What was asked for, such as {@code delete pods "default/a" FOREGROUND}, reads aside. */
  public final List<String> requests = new ArrayList<>();

  /** How many single objects were read. */
  public int gets;

  /** Requests that fail as the API being away, by their line in {@link #requests}. */
  public Predicate<String> failing = _ -> false;

  /** Requests that are carried out, while their answers are lost. */
  public Predicate<String> unanswered = _ -> false;

  /** What lists are answered with, one after the other, in place of what there is. */
  public final Queue<ClusterException> listRefusals = new ArrayDeque<>();

  /** Watchers hear of nothing until {@link #releaseNews}. */
  public boolean holdNews;

  public FakeCluster(Executor loop, InstantSource clock) {
    this.loop = loop;
    this.clock = clock;
  }

  /** Ends all watches by themselves, as an API does that restarts or forgets old revisions. */
  public void endWatches(@Nullable ClusterException cause) {
    List<Watcher> open = List.copyOf(watchers);
    watchers.clear();
    open.forEach(watcher -> watcher.handler().onClosed(cause));
  }

  public void releaseNews() {
    holdNews = false;
    heldNews.forEach(Runnable::run);
    heldNews.clear();
  }

  public @Nullable KubeObject peek(ObjectRef ref) {
    return objects.get(ref);
  }

  public List<KubeObject> peekAll(Kind kind) {
    return objects.entrySet().stream()
        .filter(entry -> entry.getKey().kind().equals(kind))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Creates an object as a user would; gives it back as stored. */
  public KubeObject add(String json) {
    return insert(KubeObject.of(Json.parse(json.replace('\'', '"'))));
  }

  /** Replaces members of an object, status included, as somebody else would. */
  public KubeObject change(ObjectRef ref, String mergePatch) {
    return merge(ref, Json.parse(mergePatch.replace('\'', '"')));
  }

  public void remove(ObjectRef ref, Propagation propagation) {
    erase(ref, new DeleteOptions(null, null, propagation));
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    gets++;
    return later(() -> existing(ref));
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    ClusterException refusal = listRefusals.poll();
    if (refusal != null) {
      return CompletableFuture.failedFuture(refusal);
    }
    return later(() ->
        new ObjectList(
            peekAll(kind).stream()
                .filter(object -> namespace == null || object.namespace().equals(namespace))
                .toList(),
            Long.toString(revision)));
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    Watcher watcher = new Watcher(kind, handler);
    watchers.add(watcher);
    history.stream()
        .filter(event -> event.object().kind().equals(kind))
        .filter(event ->
            Long.parseLong(event.object().resourceVersion()) > Long.parseLong(afterRevision))
        .toList()
        .forEach(handler::onEvent);
    return () -> watchers.remove(watcher);
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return request("create " + object.ref(), () -> insert(object));
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return request(
        "update " + object.ref(),
        () -> {
          ObjectNode tree = object.copy();
          KubeObject before = matching(object);
          copy("status", before.tree(), tree);
          return store(tree);
        });
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return request(
        "updateStatus " + object.ref(),
        () -> {
          ObjectNode tree = matching(object).copy();
          copy("status", object.tree(), tree);
          return store(tree);
        });
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return request(
        "finalize " + namespace.ref(),
        () -> {
          ObjectNode tree = matching(namespace).copy();
          copy("spec", namespace.tree(), tree);
          return store(tree);
        });
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return request("patch " + ref, () -> merge(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return request("patchStatus " + ref, () -> merge(ref, mergePatch));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    String grace = options.gracePeriodSeconds() == null ? "" : " " + options.gracePeriodSeconds();
    return request(
            "delete " + ref + " " + options.propagation() + grace,
            () -> {
              erase(ref, options);
              return ref;
            })
        .thenApply(_ -> null);
  }

  private <T> CompletableFuture<T> request(String line, Supplier<T> action) {
    requests.add(line);
    if (failing.test(line)) {
      return later(() -> {
        throw new ClusterException(Reason.UNAVAILABLE, "the API is away");
      });
    }
    if (unanswered.test(line)) {
      return later(() -> {
        T lost = action.get();
        throw new ClusterException(Reason.UNAVAILABLE, "the connection was lost before " + lost);
      });
    }
    return later(action);
  }

  private <T> CompletableFuture<T> later(Supplier<T> action) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.execute(() -> {
      try {
        answer.complete(action.get());
      } catch (ClusterException refusal) {
        answer.completeExceptionally(refusal);
      }
    });
    return answer;
  }

  private KubeObject existing(ObjectRef ref) {
    KubeObject found = objects.get(ref);
    if (found == null) {
      throw new ClusterException(Reason.NOT_FOUND, ref + " not found");
    }
    return found;
  }

  private KubeObject matching(KubeObject object) {
    KubeObject found = existing(object.ref());
    if (!found.resourceVersion().equals(object.resourceVersion())) {
      throw new ClusterException(Reason.CONFLICT, object.ref() + " has been modified");
    }
    return found;
  }

  private KubeObject insert(KubeObject object) {
    if (objects.containsKey(object.ref())) {
      throw new ClusterException(Reason.ALREADY_EXISTS, object.ref() + " already exists");
    }
    KubeObject namespace = objects.get(new ObjectRef(Kind.NAMESPACE, "", object.namespace()));
    if (namespace != null && namespace.deletionTimestamp() != null) {
      throw new ClusterException(Reason.FORBIDDEN, "namespace is being terminated");
    }
    ObjectNode tree = object.copy();
    ObjectNode metadata = tree.withObjectProperty("metadata");
    metadata.put("uid", "uid-" + uids++).put("creationTimestamp", Times.format(clock.instant()));
    if (object.kind().equals(Kind.NAMESPACE)) {
      tree.withObjectProperty("spec").putArray("finalizers").add("kubernetes");
      tree.withObjectProperty("status").put("phase", "Active");
    }
    return publish(WatchEvent.Type.ADDED, tree);
  }

  private KubeObject merge(ObjectRef ref, ObjectNode patch) {
    KubeObject before = existing(ref);
    ObjectNode metadata = Json.objectAt(patch, "metadata");
    String uid = Json.text(metadata, "uid");
    String version = Json.text(metadata, "resourceVersion");
    if ((uid != null && !uid.equals(before.uid()))
        || (version != null && !version.equals(before.resourceVersion()))) {
      throw new ClusterException(Reason.CONFLICT, ref + " is another one by now");
    }
    ObjectNode tree = before.copy();
    merge(tree, patch);
    return store(tree);
  }

  private static void merge(ObjectNode target, ObjectNode patch) {
    patch
        .properties()
        .forEach(member -> {
          if (member.getValue().isNull()) {
            target.remove(member.getKey());
          } else if (member.getValue() instanceof ObjectNode inner) {
            merge(target.withObjectProperty(member.getKey()), inner);
          } else {
            target.set(member.getKey(), member.getValue());
          }
        });
  }

  private void erase(ObjectRef ref, DeleteOptions options) {
    KubeObject before = existing(ref);
    if (options.uid() != null && !options.uid().equals(before.uid())) {
      throw new ClusterException(Reason.CONFLICT, ref + " has another uid");
    }
    ObjectNode tree = before.copy();
    ObjectNode metadata = tree.withObjectProperty("metadata");
    ArrayNode finalizers = Json.array();
    before.finalizers().stream()
        .filter(f -> !f.equals(FOREGROUND) && !f.equals(ORPHAN))
        .forEach(finalizers::add);
    switch (Objects.requireNonNullElse(options.propagation(), Propagation.BACKGROUND)) {
      case FOREGROUND -> finalizers.add(FOREGROUND);
      case ORPHAN -> finalizers.add(ORPHAN);
      case BACKGROUND -> {}
    }
    metadata.set("finalizers", finalizers);
    if (before.deletionTimestamp() == null) {
      metadata.put("deletionTimestamp", Times.format(clock.instant()));
      if (ref.kind().equals(Kind.NAMESPACE)) {
        tree.withObjectProperty("status").put("phase", "Terminating");
      }
    }
    store(tree);
  }

  /** Replaces an object, or removes it where it only waited for its last finalizer. */
  private KubeObject store(ObjectNode tree) {
    KubeObject after = KubeObject.of(tree);
    ArrayNode held = Json.arrayAt(after.spec(), "finalizers");
    boolean gone =
        after.deletionTimestamp() != null
            && after.finalizers().isEmpty()
            && (held == null || held.isEmpty());
    return publish(gone ? WatchEvent.Type.DELETED : WatchEvent.Type.MODIFIED, tree);
  }

  private KubeObject publish(WatchEvent.Type type, ObjectNode tree) {
    tree.withObjectProperty("metadata").put("resourceVersion", Long.toString(++revision));
    KubeObject object = KubeObject.of(tree);
    if (type == WatchEvent.Type.DELETED) {
      objects.remove(object.ref());
    } else {
      objects.put(object.ref(), object);
    }
    Kind kind = object.kind();
    WatchEvent event = new WatchEvent(type, object);
    history.add(event);
    for (Watcher watcher : List.copyOf(watchers)) {
      if (watcher.kind().equals(kind)) {
        Runnable news = () -> watcher.handler().onEvent(event);
        if (holdNews) {
          heldNews.add(news);
        } else {
          news.run();
        }
      }
    }
    return object;
  }

  private static void copy(String member, ObjectNode from, ObjectNode to) {
    if (from.get(member) == null) {
      to.remove(member);
    } else {
      to.set(member, from.get(member).deepCopy());
    }
  }
}
