package dev.stint.apiserver;

import dev.stint.apiextensions.definition.DefinitionNames;
import dev.stint.apiserver.access.RbacSource;
import dev.stint.apiserver.admission.AdmissionStep;
import dev.stint.apiserver.admission.LimitRangeAdmission;
import dev.stint.apiserver.admission.NamespaceLifecycle;
import dev.stint.apiserver.admission.PodSecurityAdmission;
import dev.stint.apiserver.admission.PriorityAdmission;
import dev.stint.apiserver.admission.RuntimeClassAdmission;
import dev.stint.apiserver.admission.ServiceAccountAdmission;
import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.BuiltInResources;
import dev.stint.apiserver.conversion.Converters;
import dev.stint.apiserver.flowcontrol.FlowControlSource;
import dev.stint.apiserver.outcome.NameGenerator;
import dev.stint.apiserver.outcome.NewObject;
import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.apiserver.patch.MergePatch;
import dev.stint.apiserver.pods.TokenAutomount;
import dev.stint.apiserver.strategy.DefinitionStrategy;
import dev.stint.apiserver.webhook.ServiceAddresses;
import dev.stint.apiserver.webhook.WebhookClient;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.podsecurity.PodSecuritySettings;
import dev.stint.store.Store;
import dev.stint.store.StoreView;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Kubernetes API over a {@link Store}, in this process. HTTP requests take the same path.
 *
 * <p>Futures complete on the store's loop, or in the thread that decided last if nothing was
 * written: dependent actions must be short or run elsewhere.
 */
public final class ApiServer implements Cluster {
  private static final String NAMESPACE_LIFECYCLE = "NamespaceLifecycle";

  private final Store store;
  private final SharedObjects objects;
  private final Registry registry;
  private final Watches watches;
  private final ServedResources resources;

  /**
   * The options of an API server.
   *
   * @param nodeName the node that pods are bound to when they are created, if there is only one;
   *     null if another client binds them
   * @param namespacesMustExist true if objects in namespaces that were not created are refused;
   *     {@code default} always exists
   * @param sharedRevisions the number of revisions whose parsed documents are cached; a power of
   *     two, and the minimum: the cache grows if that saves parsing and the heap has room
   * @param allowPrivileged true if pods may have privileged containers
   * @param podSecurity the settings of pod security
   * @param tokens which pods get a token of their service account
   * @param room returns the room for more objects
   * @param disabledPlugins the steps of admission that are left out, by the names of Kubernetes'
   *     admission plugins; names of others are ignored
   * @param serviceAddresses where webhooks behind services are, by {@code NAMESPACE/NAME}
   * @param retries runs decisions that are made again since another write was faster: each beside
   *     all others, or at once in the thread that delivers the store's answer, which is the default
   */
  public record Options(
      @Nullable String nodeName,
      boolean namespacesMustExist,
      int sharedRevisions,
      boolean allowPrivileged,
      PodSecuritySettings podSecurity,
      TokenAutomount tokens,
      Supplier<ObjectRoom> room,
      Set<String> disabledPlugins,
      Map<String, InetSocketAddress> serviceAddresses,
      Executor retries) {
    /**
     * Returns the defaults: pods are not bound, namespaces need not exist, 8,192 revisions,
     * privileged containers are allowed, and labels alone decide about pod security.
     */
    public static Options defaults() {
      return new Options(
          null,
          false,
          8192,
          true,
          PodSecuritySettings.LABELS_ONLY,
          TokenAutomount.NEVER,
          () -> ObjectRoom.AMPLE,
          Set.of(),
          Map.of(),
          Runnable::run);
    }

    private Options with(Consumer<Draft> change) {
      Draft draft = new Draft(this);
      change.accept(draft);
      return draft.finished();
    }

    /** Returns these options with a node that all pods are bound to. */
    public Options withNode(String name) {
      return with(draft -> draft.nodeName = name);
    }

    /** Returns these options with namespaces that must exist. */
    public Options withNamespacesThatExist() {
      return with(draft -> draft.namespacesMustExist = true);
    }

    /** Returns these options with privileged containers allowed or refused. */
    public Options withPrivilegedContainers(boolean allowed) {
      return with(draft -> draft.allowPrivileged = allowed);
    }

    /** Returns these options with other settings of pod security. */
    public Options withPodSecurity(PodSecuritySettings settings) {
      return with(draft -> draft.podSecurity = settings);
    }

    /** Returns these options with tokens for other pods. */
    public Options withTokens(TokenAutomount other) {
      return with(draft -> draft.tokens = other);
    }

    /** Returns these options with another answer how much room there is for more objects. */
    public Options withRoom(Supplier<ObjectRoom> other) {
      return with(draft -> draft.room = other);
    }

    /** Returns these options without these steps of admission. */
    public Options withoutPlugins(Set<String> names) {
      return with(draft -> draft.disabledPlugins = Set.copyOf(names));
    }

    /** Returns these options with addresses of services. */
    public Options withServiceAddresses(Map<String, InetSocketAddress> addresses) {
      return with(draft -> draft.serviceAddresses = Map.copyOf(addresses));
    }

    /** Returns these options with another executor of decisions that are made again. */
    public Options withRetries(Executor other) {
      return with(draft -> draft.retries = other);
    }

    /** A mutable copy of options. */
    private static final class Draft {
      private @Nullable String nodeName;
      private boolean namespacesMustExist;
      private final int sharedRevisions;
      private boolean allowPrivileged;
      private PodSecuritySettings podSecurity;
      private TokenAutomount tokens;
      private Supplier<ObjectRoom> room;
      private Set<String> disabledPlugins;
      private Map<String, InetSocketAddress> serviceAddresses;
      private Executor retries;

      Draft(Options from) {
        this.nodeName = from.nodeName;
        this.namespacesMustExist = from.namespacesMustExist;
        this.sharedRevisions = from.sharedRevisions;
        this.allowPrivileged = from.allowPrivileged;
        this.podSecurity = from.podSecurity;
        this.tokens = from.tokens;
        this.room = from.room;
        this.disabledPlugins = from.disabledPlugins;
        this.serviceAddresses = from.serviceAddresses;
        this.retries = from.retries;
      }

      Options finished() {
        return new Options(
            nodeName,
            namespacesMustExist,
            sharedRevisions,
            allowPrivileged,
            podSecurity,
            tokens,
            room,
            disabledPlugins,
            serviceAddresses,
            retries);
      }
    }
  }

  /**
   * Creates an API over a store that the caller opens and closes.
   *
   * @param loop delivers watch events; it must not run tasks in the calling thread
   * @param random makes uids and generated names; used by one thread at a time
   */
  public ApiServer(
      Store store,
      Executor loop,
      InstantSource clock,
      RandomGenerator random,
      FeatureGates gates,
      Options options) {
    this.store = store;
    this.objects = new SharedObjects(options.sharedRevisions());
    this.watches = new Watches(store, objects, loop);
    ApiCatalogue builtIn =
        BuiltInResources.catalogue(
            gates,
            options.nodeName(),
            options.allowPrivileged(),
            new DefinitionStrategy(this::acceptedNames, clock));
    StoredObjects stored =
        new StoredObjects(
            store,
            objects,
            options.room(),
            this::catalogue,
            options.namespacesMustExist()
                && !options.disabledPlugins().contains(NAMESPACE_LIFECYCLE));
    this.resources =
        new ServedResources(
            builtIn,
            stored.changes()::definitions,
            () ->
                stored.snapshot(Kind.CUSTOM_RESOURCE_DEFINITION, null).entries().stream()
                    .map(stored.shared()::peek),
            new Converters(
                new WebhookClient(new ServiceAddresses(options.serviceAddresses(), stored::tree))));
    this.registry =
        new Registry(
            stored,
            resources,
            new NameGenerator(random),
            clock,
            objectsOf -> admission(objectsOf, options),
            options.retries());
  }

  /** Creates an API over another view of the same store; everything else is shared. */
  private ApiServer(ApiServer of, StoreView view, Executor loop) {
    this.store = of.store;
    this.objects = of.objects;
    this.resources = of.resources;
    this.watches = new Watches(view, objects, loop);
    this.registry = of.registry.over(view);
  }

  /**
   * Returns the API ahead of the disk: for clients that use what they read only to write to this
   * same API, see {@link Store#ahead()}.
   *
   * @param loop delivers its watch events; it must not run tasks in the calling thread
   */
  public Cluster ahead(Executor loop) {
    return new ApiServer(this, store.ahead(), loop);
  }

  /**
   * Returns the steps of admission in the order of Kubernetes: all of them for a whole cluster,
   * with namespaces that must exist; few for a lone Job, which runs whatever its namespace and its
   * classes are called.
   */
  private static List<AdmissionStep> admission(StoredObjects stored, Options options) {
    if (!options.namespacesMustExist()) {
      return List.of(new PriorityAdmission(stored, false));
    }
    Map<String, AdmissionStep> plugins = new LinkedHashMap<>();
    plugins.put(NAMESPACE_LIFECYCLE, new NamespaceLifecycle(stored));
    plugins.put("LimitRanger", new LimitRangeAdmission(stored));
    plugins.put("ServiceAccount", new ServiceAccountAdmission(stored, options.tokens()));
    plugins.put("PodSecurity", new PodSecurityAdmission(stored, options.podSecurity()));
    plugins.put("Priority", new PriorityAdmission(stored, true));
    plugins.put("RuntimeClass", new RuntimeClassAdmission(stored));
    plugins.keySet().removeAll(options.disabledPlugins());
    return List.copyOf(plugins.values());
  }

  /** Clears the caches; for callers that notice that nothing is being written. */
  public void rest() {
    objects.forget();
  }

  /** Returns the resources that are served now. */
  public ApiCatalogue catalogue() {
    return resources.get();
  }

  private Map<String, DefinitionNames> acceptedNames(String group) {
    return resources.acceptedNames(group);
  }

  /** Returns the kinds as which objects are stored now, custom ones too. */
  public List<Kind> storedKinds() {
    return catalogue().storedKinds();
  }

  /**
   * Returns the kind as which the objects are stored that a document describes; empty if it is not
   * served.
   *
   * @param apiVersion such as {@code batch/v1}
   */
  public Optional<Kind> storedKind(String apiVersion, String kind) {
    ApiCatalogue served = catalogue();
    return served.kind(apiVersion, kind).map(served::of).map(ApiResource::stored);
  }

  /**
   * Returns a document as requests are decoded, that is, without unknown members; empty if its kind
   * is not served.
   *
   * @param faults collects unknown members, and values of the wrong type
   */
  public Optional<ObjectNode> decode(KubeObject document, FieldErrors faults) {
    ApiCatalogue served = catalogue();
    return served
        .kind(document.apiVersion(), document.kindName())
        .map(served::of)
        .map(resource -> resource.decode(document.copy(), faults));
  }

  /** Returns the registry, which carries out HTTP requests too. */
  public Registry registry() {
    return registry;
  }

  /** Returns the roles and bindings for authorization. */
  public RbacSource rules() {
    return new StoredRules(registry);
  }

  /** Returns the flow schemas and priority levels, which say who waits for whom. */
  public FlowControlSource flowControl() {
    return new StoredFlowControl(registry);
  }

  /**
   * Counts the objects of a collection, without reading them.
   *
   * @param namespace "" for all
   */
  public int count(String group, String resource, String namespace) {
    return catalogue()
        .findStored(group, resource)
        .map(kind -> registry.count(kind, namespace.isEmpty() ? null : namespace))
        .orElse(0);
  }

  /** Returns the watches, which serve HTTP requests too. */
  public Watches watches() {
    return watches;
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return registry.get(ref);
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    return registry.list(kind, namespace);
  }

  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return registry.list(kind, namespace, each);
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    return watches.watch(kind, namespace, afterRevision, handler);
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return registry.create(object, WriteOptions.PLAIN);
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return ApiFutures.answering(() ->
        registry
            .replace(refOf(object), object.tree(), WriteOptions.PLAIN)
            .thenApply(Registry.Applied::object));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return ApiFutures.answering(() ->
        registry.update(
            UpdateTarget.STATUS,
            refOf(object),
            Preconditions.of(object.tree()),
            _ -> object.tree(),
            WriteOptions.PLAIN));
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return registry.update(
        UpdateTarget.MAIN,
        ref,
        Preconditions.of(mergePatch),
        patching(mergePatch),
        WriteOptions.PLAIN);
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return registry.update(
        UpdateTarget.STATUS,
        ref,
        Preconditions.of(mergePatch),
        patching(mergePatch),
        WriteOptions.PLAIN);
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return ApiFutures.answering(() ->
        registry.update(
            UpdateTarget.FINALIZE,
            refOf(namespace),
            Preconditions.of(namespace.tree()),
            _ -> namespace.tree(),
            WriteOptions.PLAIN));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    return ApiFutures.answering(() ->
        registry
            .delete(
                ref,
                new Preconditions(options.uid(), options.resourceVersion()),
                options,
                WriteOptions.PLAIN)
            .thenApply(_ -> null));
  }

  private static UnaryOperator<ObjectNode> patching(ObjectNode mergePatch) {
    return before -> MergePatch.apply(before, mergePatch);
  }

  /** Returns the reference of the object that a document describes. */
  private ObjectRef refOf(KubeObject object) {
    Kind kind = registry.storedKindOf(object);
    String namespace =
        object.namespace().isEmpty() ? NewObject.DEFAULT_NAMESPACE : object.namespace();
    return new ObjectRef(kind, kind.namespaced() ? namespace : "", object.name());
  }

  /** Reads flow schemas and priority levels from the store. */
  private record StoredFlowControl(Registry registry) implements FlowControlSource {
    @Override
    public long revision() {
      return registry.changes().flowControl();
    }

    @Override
    public List<KubeObject> list(Kind kind) {
      return registry.list(kind, null).join().items();
    }
  }
}
