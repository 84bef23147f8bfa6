package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemSource;
import dev.stint.model.pod.TokenVolume;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.token.PodApi;
import dev.stint.runner.token.PodTokens;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fetches the config maps and secrets that a pod names, and its tokens, all at once. On the loop
 * only.
 */
final class InputFetch {
  private static final Logger LOG = LoggerFactory.getLogger(InputFetch.class);

  /** Answers may come on any thread. */
  private final Map<ObjectRef, KubeObject> found = new ConcurrentHashMap<>();

  private final Consumer<PodInputs> done;
  private final Set<ObjectRef> refs;
  private final @Nullable PodApi api;
  private PodTokens tokens = PodTokens.NONE;
  private @Nullable Item item;
  private int awaited;

  private InputFetch(
      Set<ObjectRef> refs, @Nullable PodApi api, int awaited, Consumer<PodInputs> done) {
    this.refs = refs;
    this.api = api;
    this.awaited = awaited;
    this.done = done;
  }

  /**
   * Fetches all objects, the pod's line of a list, and its tokens.
   *
   * @param refs one at least, unless there is a line or a token
   * @param done receives the existing objects, on the loop
   */
  static void start(NodePorts node, Set<ObjectRef> refs, KubeObject pod, Consumer<PodInputs> done) {
    Optional<ItemSource> list = ItemSource.of(pod);
    PodApi api = node.options().api();
    boolean tokens = !TokenFetch.isNeedless(node, pod);
    int awaited = refs.size() + (list.isPresent() ? 1 : 0) + (tokens ? 1 : 0);
    InputFetch fetch = new InputFetch(refs, api, awaited, done);
    if (tokens && api != null) {
      TokenFetch.start(node, api, pod, fetch::onTokens);
    }
    list.ifPresent(source -> fetch.findItem(node, source, pod));
    refs.forEach(ref ->
        RetriedRequest.send(
            node,
            () -> node.cluster().get(ref).thenAccept(object -> fetch.found.put(ref, object)),
            failure -> fetch.onAnswer(ref, failure)));
  }

  private void findItem(NodePorts node, ItemSource list, KubeObject pod) {
    AtomicReference<@Nullable Item> answer = new AtomicReference<>();
    RetriedRequest.send(
        node,
        () ->
            node.items()
                .find(pod.namespace(), list, index(pod))
                .thenAccept(found -> answer.set(found.orElse(null))),
        failure -> {
          item = answer.get();
          onAnswer(new ObjectRef(Kind.CONFIG_MAP, pod.namespace(), list.map(0)), failure);
        });
  }

  /**
   * Returns the pod's line of a list if it is known at once, as for all pods but the first ones: a
   * pod that does not wait needs no status that tells that it waits.
   */
  static Optional<Item> knownItem(NodePorts node, ItemSource list, KubeObject pod) {
    CompletableFuture<Optional<Item>> found =
        node.items().find(pod.namespace(), list, index(pod)).toCompletableFuture();
    return found.state() == Future.State.SUCCESS ? found.resultNow() : Optional.empty();
  }

  private static int index(KubeObject pod) {
    return Integer.parseInt(String.valueOf(pod.annotation(Names.COMPLETION_INDEX)));
  }

  private void onAnswer(ObjectRef ref, @Nullable Throwable failure) {
    if (failure != null && !StatusWriter.isGone(failure)) {
      LOG.warn("Cannot read {}; treating it as missing: {}", ref, failure.getMessage());
    }
    countDown();
  }

  private void onTokens(PodTokens found) {
    tokens = found;
    countDown();
  }

  private void countDown() {
    awaited--;
    if (awaited == 0) {
      done.accept(new PodInputs(configMaps(), of(Kind.SECRET), item, tokens));
    }
  }

  /**
   * Adds the certificate of the API's authority where no controller publishes it, or publishes a
   * new one only later.
   */
  private Map<String, KubeObject> configMaps() {
    Map<String, KubeObject> byName = of(Kind.CONFIG_MAP);
    if (api != null
        && refs.stream().anyMatch(InputFetch::isAuthority)
        && !isTrusting(byName.get(TokenVolume.AUTHORITY), api.authority())) {
      ObjectNode map = Json.object();
      map.putObject("data").put(TokenVolume.CERTIFICATE, api.authority());
      byName.put(TokenVolume.AUTHORITY, KubeObject.of(map));
    }
    return byName;
  }

  /** True if the certificates in a config map include one. */
  private static boolean isTrusting(@Nullable KubeObject map, String certificate) {
    ObjectNode data = map == null ? null : Json.objectAt(map.tree(), "data");
    String known = Json.text(data, TokenVolume.CERTIFICATE);
    return known != null && known.contains(certificate.strip());
  }

  private static boolean isAuthority(ObjectRef ref) {
    return ref.kind().equals(Kind.CONFIG_MAP) && ref.name().equals(TokenVolume.AUTHORITY);
  }

  private Map<String, KubeObject> of(Kind kind) {
    Map<String, KubeObject> byName = new HashMap<>();
    found.forEach((ref, object) -> {
      if (ref.kind().equals(kind)) {
        byName.put(ref.name(), object);
      }
    });
    return byName;
  }
}
