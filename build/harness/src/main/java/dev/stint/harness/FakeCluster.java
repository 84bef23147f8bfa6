package dev.stint.harness;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Kubernetes API in memory, for every kind, without defaults and validation. It meets {@link
 * ClusterContract}, like the API server. Requests are carried out on the test's executor, in order;
 * changes are reported at once.
 *
 * <p>A test reads and changes objects as another client would ({@link #peek}, {@link #add}, {@link
 * #change}, {@link #remove}), lets requests fail ({@link #before}, {@link #after}), and delays what
 * watches report ({@link #holdNews}).
 */
public class FakeCluster implements Cluster {
  private final Executor executor;
  private final FakeStore store;
  private final List<FakeWatch> watches = new ArrayList<>();
  private final List<Runnable> heldNews = new ArrayList<>();
  private final List<Consumer<WatchEvent>> listeners = new CopyOnWriteArrayList<>();
  private final List<Fault> before = new CopyOnWriteArrayList<>();
  private final List<Fault> after = new CopyOnWriteArrayList<>();
  private boolean holding;

  /** The requests except reads, such as {@code delete pods "default/a" FOREGROUND}. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  /** The number of reads of single objects. */
  public int gets;

  /**
   * @param executor carries out requests, in order
   */
  public FakeCluster(Executor executor, InstantSource clock) {
    this.executor = executor;
    this.store = new FakeStore(clock, this::report);
  }

  // --- what a test sees and does -----------------------------------------------------------------

  public synchronized @Nullable KubeObject peek(ObjectRef ref) {
    return store.find(ref);
  }

  public synchronized List<KubeObject> peekAll(Kind kind) {
    return store.list(kind, null);
  }

  /** Makes a custom kind known: its objects may be added and written like others. */
  public synchronized void define(Kind kind) {
    store.define(kind);
  }

  /** Adds an object, status included; returns it as stored. */
  public synchronized KubeObject add(ObjectNode tree) {
    return store.insert(tree);
  }

  public KubeObject add(ObjectBuilder<?> builder) {
    return add(builder.tree());
  }

  /** Replaces an object as it is, or adds it. */
  public synchronized KubeObject put(ObjectNode tree) {
    return store.put(tree);
  }

  /** Adds an object in JSON with single quotes. */
  public KubeObject add(String json) {
    return add(Json.parse(json.replace('\'', '"')));
  }

  /** Changes any members of an object, status and system fields included. */
  public synchronized KubeObject change(ObjectRef ref, ObjectNode mergePatch) {
    return store.change(ref, mergePatch);
  }

  /** Changes any members of an object, by a patch in JSON with single quotes. */
  public KubeObject change(ObjectRef ref, String mergePatch) {
    return change(ref, Json.parse(mergePatch.replace('\'', '"')));
  }

  /** Deletes an object as a client does. */
  public void remove(ObjectRef ref, Propagation propagation) {
    remove(ref, new DeleteOptions(null, null, propagation));
  }

  /** Deletes an object as a client does. */
  public synchronized void remove(ObjectRef ref, DeleteOptions options) {
    store.delete(ref, options);
  }

  /** Removes an object at once, whatever holds it. */
  public synchronized void erase(ObjectRef ref) {
    store.remove(ref);
  }

  /** Calls a listener with each change, whatever happens to watches. */
  public synchronized void onChange(Consumer<WatchEvent> listener) {
    listeners.add(listener);
  }

  // --- faults ------------------------------------------------------------------------------------

  /** Adds a fault for requests, which are then not carried out. */
  public void before(Fault fault) {
    before.add(fault);
  }

  /** Adds a fault for requests, which are carried out nevertheless. */
  public void after(Fault fault) {
    after.add(fault);
  }

  /** Ends all faults. */
  public void heal() {
    before.clear();
    after.clear();
  }

  /** Holds back the events of watches until {@link #releaseNews}. */
  public synchronized void holdNews() {
    holding = true;
  }

  /** Makes watches report later changes; events that are held back stay so. */
  public synchronized void resumeNews() {
    holding = false;
  }

  /** Makes watches report the events that were held back, and all later ones. */
  public synchronized void releaseNews() {
    holding = false;
    heldNews.forEach(Runnable::run);
    heldNews.clear();
  }

  /** Stops the events of open watches; later watches report again. */
  public synchronized void muteWatches() {
    watches.forEach(watch -> watch.muted = true);
  }

  /** Ends all watches, as when an API restarts or forgets old revisions. */
  public synchronized void endWatches(@Nullable ClusterException cause) {
    List<FakeWatch> open = List.copyOf(watches);
    watches.clear();
    open.forEach(watch -> watch.handler.onClosed(cause));
  }

  /** Makes all revisions so far too old to watch from. */
  public synchronized void expireRevisions() {
    store.forgetChanges();
  }

  // --- the port ----------------------------------------------------------------------------------

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return request("get " + ref, ref, null, () -> read(ref));
  }

  private KubeObject read(ObjectRef ref) {
    gets++;
    return store.get(ref);
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    ObjectRef all = new ObjectRef(kind, namespace == null ? "" : namespace, "");
    return request(
        "list " + all,
        all,
        null,
        () -> new ObjectList(store.list(kind, namespace), store.revision()));
  }

  @Override
  public synchronized Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    FakeWatch watch = new FakeWatch(kind, namespace, handler);
    try {
      store.changesAfter(afterRevision).stream().filter(watch::concerns).forEach(handler::onEvent);
      watches.add(watch);
    } catch (ClusterException tooOld) {
      executor.execute(() -> handler.onClosed(tooOld));
    }
    return watch;
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return write("create", object, () -> store.create(object));
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return write("update", object, () -> store.update(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return write("updateStatus", object, () -> store.updateStatus(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return write("finalize", namespace, () -> store.finalize(namespace));
  }

  private <T> CompletableFuture<T> write(String verb, KubeObject object, Supplier<T> action) {
    ObjectRef ref = store.refOf(object);
    return request(verb + " " + ref, ref, object.tree(), action);
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return request("patch " + ref, ref, mergePatch, () -> store.patch(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return request("patchStatus " + ref, ref, mergePatch, () -> store.patchStatus(ref, mergePatch));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    String grace = options.gracePeriodSeconds() == null ? "" : " " + options.gracePeriodSeconds();
    return request(
            "delete " + ref + " " + options.propagation() + grace,
            ref,
            null,
            () -> {
              store.delete(ref, options);
              return ref;
            })
        .thenApply(_ -> null);
  }

  private <T> CompletableFuture<T> request(
      String line, ObjectRef ref, @Nullable ObjectNode body, Supplier<T> action) {
    FakeRequest request = new FakeRequest(line, ref, body);
    if (request.isWrite()) {
      requests.add(line);
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    executor.execute(() -> {
      try {
        answer.complete(carryOut(request, action));
      } catch (ClusterException refusal) {
        answer.completeExceptionally(refusal);
      }
    });
    return answer;
  }

  private synchronized <T> T carryOut(FakeRequest request, Supplier<T> action) {
    before.forEach(fault -> fault.on(request));
    T answer = action.get();
    after.forEach(fault -> fault.on(request));
    return answer;
  }

  private void report(WatchEvent event) {
    listeners.forEach(listener -> listener.accept(event));
    for (FakeWatch watch : List.copyOf(watches)) {
      if (watch.concerns(event) && holding) {
        heldNews.add(() -> watch.report(event));
      } else if (watch.concerns(event)) {
        watch.report(event);
      }
    }
  }

  private final class FakeWatch implements Watch {
    private final Kind kind;
    private final @Nullable String namespace;
    private final WatchHandler handler;
    private boolean muted;

    FakeWatch(Kind kind, @Nullable String namespace, WatchHandler handler) {
      this.kind = kind;
      this.namespace = namespace;
      this.handler = handler;
    }

    boolean concerns(WatchEvent event) {
      KubeObject object = event.object();
      return store.kindOf(object).equals(kind)
          && (namespace == null || object.namespace().equals(namespace));
    }

    void report(WatchEvent event) {
      if (!muted) {
        handler.onEvent(event);
      }
    }

    @Override
    public void close() {
      synchronized (FakeCluster.this) {
        muted = true;
        watches.remove(this);
      }
    }
  }
}
