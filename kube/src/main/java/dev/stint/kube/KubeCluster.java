package dev.stint.kube;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchHandler;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.kube.http.WebSocketStream;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A real Kubernetes API, reached over HTTP.
 *
 * <p>Documents pass unchanged, including fields that this program does not know; but in protobuf
 * they have no managed fields (decision 115). The API is asked to refuse unknown fields in our
 * writes, which Kubernetes does for JSON only. A request is sent once: retries are the caller's
 * decision ({@link ClusterException#isTransient}), since only the caller knows whether an
 * unanswered create may be repeated.
 *
 * <p>Futures complete on virtual threads; dependent stages may block. Documents without a namespace
 * go to {@code default}.
 */
public final class KubeCluster implements Cluster, AutoCloseable {
  private static final String DEFAULT_NAMESPACE = "default";
  private static final String STRICT = "?fieldValidation=Strict";

  private final ExecutorService virtualThreads = Executors.newVirtualThreadPerTaskExecutor();
  private final RestClient rest;
  private final ChunkedList listing;
  private final Timers timers;
  private final String namespace;
  private final String context;

  /**
   * Creates a cluster without connecting to it.
   *
   * @param config the API's address and our credentials
   * @param timers paces the reopening of watches whose connection broke
   */
  public KubeCluster(Config config, Timers timers) {
    this(config, ContentType.JSON, timers);
  }

  KubeCluster(Config config, ContentType type, Timers timers) {
    this(config, () -> config, type, timers);
  }

  /**
   * @param source reads the configuration again
   */
  private KubeCluster(Config config, Supplier<Config> source, ContentType type, Timers timers) {
    RenewableClient client =
        new RenewableClient(config, source, timers, InstantSource.system(), virtualThreads);
    this.rest = new RestClient(client, type, virtualThreads);
    this.listing = new ChunkedList(rest, virtualThreads);
    this.timers = timers;
    this.namespace =
        config.getNamespace() == null || config.getNamespace().isEmpty()
            ? DEFAULT_NAMESPACE
            : config.getNamespace();
    this.context = config.getCurrentContext() == null ? "" : config.getCurrentContext().getName();
  }

  /**
   * Returns the cluster that a kubeconfig file describes, without connecting to it. Changed
   * credentials, in that file or in files that it names, are used within a minute; its current
   * context and the API's address are read once, now. A credential plugin that it names is run, and
   * may ask the user.
   *
   * @param context one of the file's contexts; null for its current one
   * @throws IllegalArgumentException if the file does not name a cluster, or its credential plugin
   *     gives no credentials; the message is one line for the user
   */
  public static KubeCluster of(Path kubeconfig, @Nullable String context, Timers timers) {
    return of(kubeconfig, context, ContentType.JSON, timers);
  }

  /**
   * Returns the cluster that a kubeconfig file describes, as {@link #of(Path, String, Timers)}
   * does.
   *
   * @param type the preferred encoding
   */
  public static KubeCluster of(
      Path kubeconfig, @Nullable String context, ContentType type, Timers timers) {
    return of(List.of(kubeconfig), context, type, timers);
  }

  /**
   * Returns the cluster that several kubeconfig files describe together, as {@link #of(Path,
   * String, Timers)} does. As for kubectl, the first file that has an entry or a current context
   * decides. Files that do not exist are skipped.
   */
  public static KubeCluster of(List<Path> kubeconfigs, @Nullable String context, Timers timers) {
    return of(kubeconfigs, context, ContentType.JSON, timers);
  }

  private static KubeCluster of(
      List<Path> kubeconfigs, @Nullable String context, ContentType type, Timers timers) {
    Config config = KubeconfigReader.read(kubeconfigs, context, timers);
    String chosen = config.getCurrentContext().getName();
    try {
      return new KubeCluster(
          config, () -> KubeconfigReader.read(kubeconfigs, chosen, timers), type, timers);
    } catch (KubernetesClientException unusable) {
      String why = String.valueOf(KubeconfigReader.rootOf(unusable).getMessage());
      throw new IllegalArgumentException(
          KubeconfigFiles.names(kubeconfigs)
              + ": its certificates, keys or proxy cannot be used: "
              + why,
          unusable);
    }
  }

  /**
   * Returns the cluster that this process runs in as a pod, without connecting to it.
   *
   * @param type the preferred encoding
   */
  public static Optional<KubeCluster> inCluster(
      Map<String, String> environment, ContentType type, Timers timers) {
    return inCluster(InCluster.SERVICE_ACCOUNT, environment, type, timers);
  }

  /**
   * Returns the cluster that this process runs in as a pod, for another service account directory.
   *
   * @param serviceAccount the directory of {@code token}, {@code ca.crt} and {@code namespace}
   */
  public static Optional<KubeCluster> inCluster(
      Path serviceAccount, Map<String, String> environment, ContentType type, Timers timers) {
    return InCluster.config(serviceAccount, environment)
        .map(config -> new KubeCluster(config, type, timers));
  }

  /** Returns the namespace of the pod in which this process runs; empty if there is none. */
  public static Optional<String> podNamespace() {
    return InCluster.namespace(InCluster.SERVICE_ACCOUNT);
  }

  /** Returns the API's address. */
  public String url() {
    return rest.base();
  }

  /** Returns the default namespace: that of the kubeconfig's context, or {@code default}. */
  public String namespace() {
    return namespace;
  }

  /** Returns the context of the kubeconfig that describes it; empty if it has none. */
  public String context() {
    return context;
  }

  /**
   * Applies a document as one of the managers of an object, and creates the object if there is none
   * (Kubernetes API, server-side apply). Fails with {@code CONFLICT} if another manager has set one
   * of its fields to another value.
   *
   * @param manager the name of the manager
   */
  public CompletableFuture<KubeObject> apply(ObjectRef ref, ObjectNode document, String manager) {
    return named(
        ref,
        path ->
            rest.send(
                    "PATCH",
                    path + STRICT + "&force=false&fieldManager=" + ResourcePath.encoded(manager),
                    RestClient.APPLY_PATCH,
                    document,
                    ContentType.JSON)
                .thenApply(answer -> answer.object(ref.kind())));
  }

  /**
   * Copies a container's log, piece by piece; completes at its end.
   *
   * @param query the part to show, such as {@code container=main&follow=true} (Kubernetes API, Pod,
   *     read log)
   * @param each receives the pieces in order; the next one is read when it returns, so it may wait
   */
  public CompletableFuture<@Nullable Void> log(
      String podNamespace, String pod, String query, Consumer<byte[]> each) {
    String path = ResourcePath.object(new ObjectRef(Kind.POD, podNamespace, pod)) + "/log?" + query;
    return rest.later(() -> {
      PodLog.copy(rest, path, each);
      return null;
    });
  }

  /**
   * Runs a command in a container. It ends with this client.
   *
   * @param random makes the key and the masks of its WebSocket
   * @return its exit code, after all its output
   */
  public CompletableFuture<Integer> exec(
      ObjectRef pod, ExecRequest request, ExecStreams streams, RandomGenerator random) {
    return named(
        pod,
        path ->
            rest.later(() -> {
              String target = path + "/exec?" + request.query();
              try (WebSocketStream socket = rest.webSocket(target, PodExec.PROTOCOLS, random)) {
                return PodExec.run(socket, request.stdin(), streams);
              }
            }));
  }

  /** Returns the API's version, such as {@code v1.36.0}; every authenticated user may read it. */
  public CompletableFuture<String> version() {
    return rest.get("version", ApiAnswer::tree)
        .thenApply(version -> Objects.requireNonNullElse(Json.text(version, "gitVersion"), "?"));
  }

  /**
   * Returns true if this user may do something to all objects of a kind in a namespace. Every
   * authenticated user may ask (Kubernetes API, SelfSubjectAccessReview).
   *
   * @param subresource such as {@code status}; empty for the object itself
   */
  public CompletableFuture<Boolean> may(
      String verb, Kind kind, String subresource, String inNamespace) {
    ObjectNode review = Json.object();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    review
        .putObject("spec")
        .putObject("resourceAttributes")
        .put("verb", verb)
        .put("group", kind.group())
        .put("resource", kind.plural())
        .put("subresource", subresource)
        .put("namespace", inNamespace);
    return rest.send(
            "POST",
            "apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            RestClient.JSON,
            review,
            ContentType.JSON)
        .thenApply(answer -> answer.tree().at("/status/allowed").asBoolean(false));
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    Function<ApiAnswer, KubeObject> reading = answer -> answer.object(ref.kind());
    return named(
        ref,
        path ->
            ApiAnswer.mustBeComplete(ref.kind())
                ? rest.get(path, reading)
                : rest.getInJson(path, reading)); // Some of its lists may be written again.
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    Map<String, KubeObject> items = new LinkedHashMap<>();
    String[] revision = {""};
    return listing
        .list(
            kind,
            namespace,
            part -> {
              if (!part.resourceVersion().equals(revision[0])) {
                revision[0] = part.resourceVersion();
                items.clear();
              }
              part.items().forEach(item -> items.put(item.namespace() + "/" + item.name(), item));
              return CompletableFuture.completedFuture(null);
            })
        .thenApply(last -> new ObjectList(List.copyOf(items.values()), last));
  }

  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return listing.list(kind, namespace, each);
  }

  /**
   * Watches objects. The watch survives the ends and faults of its connections, and resumes at the
   * last revision seen.
   */
  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    KubeWatch watch = new KubeWatch(rest, timers, kind, namespace, afterRevision, handler);
    watch.start();
    return watch;
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return addressed(
        object,
        ref -> {
          String path = ResourcePath.collection(ref.kind(), ref.namespace()) + STRICT;
          return sent(ref.kind(), "POST", path, RestClient.JSON, object.tree());
        });
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return addressed(object, ref -> write("PUT", ref, "", RestClient.JSON, object.tree()));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return addressed(object, ref -> write("PUT", ref, "/status", RestClient.JSON, object.tree()));
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return patch(ref, "", mergePatch);
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return patch(ref, "/status", mergePatch);
  }

  /**
   * Sends a patch. Kubernetes has no uid precondition for patches: it refuses another uid as a
   * change of an immutable field.
   */
  private CompletableFuture<KubeObject> patch(
      ObjectRef ref, String subresource, ObjectNode mergePatch) {
    return write("PATCH", ref, subresource, RestClient.MERGE_PATCH, mergePatch)
        .exceptionallyCompose(failure -> {
          Throwable cause = ClusterException.causeOf(failure);
          return CompletableFuture.failedFuture(
              cause instanceof ClusterException refusal && isOfAnotherUid(refusal)
                  ? new ClusterException(
                      Reason.CONFLICT, String.valueOf(refusal.getMessage()), refusal.causes())
                  : cause);
        });
  }

  private static boolean isOfAnotherUid(ClusterException refusal) {
    return refusal.reason() == Reason.INVALID
        && refusal.causes().stream().anyMatch(cause -> cause.path().equals("metadata.uid"));
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return addressed(
        namespace, ref -> write("PUT", ref, "/finalize", RestClient.JSON, namespace.tree()));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    return named(
        ref,
        path ->
            rest.send("DELETE", path, RestClient.JSON, body(options), ContentType.JSON)
                .thenApply(_ -> null));
  }

  /** Ends all watches and connections. */
  @Override
  public void close() {
    rest.close();
    virtualThreads.shutdownNow(); // The receiver of a list may be gone.
  }

  private CompletableFuture<KubeObject> write(
      String method, ObjectRef ref, String subresource, String contentType, ObjectNode document) {
    return named(
        ref, path -> sent(ref.kind(), method, path + subresource + STRICT, contentType, document));
  }

  /** Sends a document of a kind and returns the object that answers it. */
  private CompletableFuture<KubeObject> sent(
      Kind kind, String method, String path, String contentType, ObjectNode document) {
    ContentType wanted =
        ProtobufDocument.hasKind(kind.apiVersion(), kind.kind())
            ? ContentType.PROTOBUF
            : ContentType.JSON;
    return rest.send(method, path, contentType, document, wanted)
        .thenApply(answer -> written(answer, kind));
  }

  /**
   * Reads the answer to a write. If it has fields of a younger API it is as good as lost, since the
   * write cannot be repeated to have it in JSON.
   */
  private KubeObject written(ApiAnswer answer, Kind kind) {
    try {
      return answer.object(kind);
    } catch (ClusterException unreadable) {
      if (!rest.needsJson(unreadable)) {
        throw unreadable;
      }
      String why = "the answer to a write cannot be read: " + unreadable.getMessage();
      throw new ClusterException(Reason.UNAVAILABLE, why, List.of(), unreadable);
    }
  }

  /** Rejects an empty name, since the path would then mean all objects of the kind. */
  private static <T extends @Nullable Object> CompletableFuture<T> named(
      ObjectRef ref, Function<String, CompletableFuture<T>> request) {
    return ref.name().isEmpty()
        ? CompletableFuture.failedFuture(
            new ClusterException(
                Reason.BAD_REQUEST, "metadata.name: required for " + ref.kind().plural()))
        : request.apply(ResourcePath.object(ref));
  }

  private static CompletableFuture<KubeObject> addressed(
      KubeObject object, Function<ObjectRef, CompletableFuture<KubeObject>> request) {
    return Kind.of(object.apiVersion(), object.kindName())
        .map(kind -> request.apply(refOf(kind, object)))
        .orElseGet(() -> CompletableFuture.failedFuture(unknownKind(object)));
  }

  private static ObjectRef refOf(Kind kind, KubeObject object) {
    String namespace = object.namespace();
    return new ObjectRef(
        kind,
        kind.namespaced() && namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace,
        object.name());
  }

  private static ClusterException unknownKind(KubeObject object) {
    return new ClusterException(
        Reason.BAD_REQUEST,
        "kind: " + object.apiVersion() + " " + object.kindName() + " is an unknown kind");
  }

  private static ObjectNode body(DeleteOptions options) {
    ObjectNode body = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
    if (options.uid() != null) {
      body.withObjectProperty("preconditions").put("uid", options.uid());
    }
    if (options.resourceVersion() != null) {
      body.withObjectProperty("preconditions").put("resourceVersion", options.resourceVersion());
    }
    if (options.gracePeriodSeconds() != null) {
      body.put("gracePeriodSeconds", options.gracePeriodSeconds());
    }
    if (options.propagation() != null) {
      String word = options.propagation().name();
      body.put("propagationPolicy", word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT));
    }
    return body;
  }
}
