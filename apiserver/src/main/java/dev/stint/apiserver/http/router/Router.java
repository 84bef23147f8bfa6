package dev.stint.apiserver.http.router;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.access.AccessReviews;
import dev.stint.apiserver.access.HealthPath;
import dev.stint.apiserver.access.TokenRequests;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.ApiResource.Subresource;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.PendingWrites;
import dev.stint.apiserver.http.ProtobufFilter;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.http.handler.AccessReviewHandler;
import dev.stint.apiserver.http.handler.DeleteHandler;
import dev.stint.apiserver.http.handler.DiscoveryHandler;
import dev.stint.apiserver.http.handler.HealthHandler;
import dev.stint.apiserver.http.handler.IssuerHandler;
import dev.stint.apiserver.http.handler.ListParameters;
import dev.stint.apiserver.http.handler.PatchHandler;
import dev.stint.apiserver.http.handler.ReadHandler;
import dev.stint.apiserver.http.handler.WatchStream;
import dev.stint.apiserver.http.handler.WriteHandler;
import dev.stint.apiserver.http.pod.PodExecHandler;
import dev.stint.apiserver.http.pod.PodLogHandler;
import dev.stint.apiserver.http.pod.PodSubresourceHandler;
import dev.stint.apiserver.http.pod.WebSocketUpgrade;
import dev.stint.apiserver.http.view.ContentNegotiation;
import dev.stint.apiserver.http.view.ResponseRenderer;
import dev.stint.apiserver.pods.PodAccess;
import dev.stint.apiserver.webhook.RequestDeadline;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Dispatches each request to its handler. */
public final class Router {
  private static final Set<String> READING = Set.of("GET", "HEAD");
  private static final Set<String> LISTING = Set.of("list", "watch");

  private final ApiServer api;
  private final InstantSource clock;
  private final InstantSource steady;
  private final HealthHandler health;
  private final DiscoveryHandler discovery;
  private final IssuerHandler issuer;
  private final ReadHandler reads;
  private final WriteHandler writes;
  private final PatchHandler patches;
  private final DeleteHandler deletes;
  private final PodSubresourceHandler pods;
  private final PodLogHandler logs;
  private final PodExecHandler sessions;
  private final AccessReviewHandler reviews;
  private final PendingWrites unanswered = new PendingWrites();

  /**
   * @param steady measures how long watches last, whatever becomes of the time of day
   * @param reviews answers questions about access
   * @param tokens issues tokens of service accounts
   * @param access to running pods; null if none run here
   */
  public Router(
      ApiServer api,
      InstantSource clock,
      InstantSource steady,
      HealthHandler health,
      AccessReviews reviews,
      TokenRequests tokens,
      @Nullable PodAccess access) {
    this.logs = new PodLogHandler(api, clock, access);
    this.sessions = new PodExecHandler(api, access);
    this.reviews = new AccessReviewHandler(reviews, tokens, clock);
    this.api = api;
    this.clock = clock;
    this.steady = steady;
    this.health = health;
    this.discovery = new DiscoveryHandler(api::catalogue);
    this.issuer = new IssuerHandler(tokens.keys());
    this.reads = new ReadHandler(api, clock);
    this.writes = new WriteHandler(api, clock);
    this.patches = new PatchHandler(api, clock);
    this.deletes = new DeleteHandler(api, reads, clock);
    this.pods = new PodSubresourceHandler(api, clock);
  }

  /** Answers an authorized request. Refusals are responses too. */
  ApiResponse answer(Call asked) throws IOException {
    if (!READING.contains(asked.method())) {
      unanswered.mayWrite();
    }
    return switch (routed(asked)) {
      case ApiResponse.Whole whole -> whole.warning(asked.warnings().texts());
      case ApiResponse.Streamed streamed -> streamed.warning(asked.warnings().texts());
      case ApiResponse.Upgraded upgraded -> upgraded;
    };
  }

  private ApiResponse routed(Call asked) throws IOException {
    try {
      Call call = ProtobufFilter.asJson(asked);
      return switch (call.route()) {
        case Route.NonResource other -> nonResource(call, other);
        case Route.Resource resource -> RequestDeadline.within(() -> resource(call, resource));
      };
    } catch (ClusterException refusal) {
      return refused(asked, refusal);
    }
  }

  /**
   * Returns the refusal in the form that the client prefers, which may not be available for the
   * request itself.
   */
  private static ApiResponse refused(Call call, ClusterException refusal) {
    ApiResponse.Whole json = ApiResponse.refused(refusal);
    return ContentNegotiation.find(call.header("Accept"), ContentNegotiation.Offer.PLAIN, true)
        .map(ContentNegotiation::format)
        .map(format ->
            switch (format) {
              case JSON -> json;
              case YAML -> json.inYaml();
              case PROTOBUF -> json.inProtobuf();
            })
        .orElse(json);
  }

  private ApiResponse nonResource(Call call, Route.NonResource route) {
    List<String> segments = route.segments();
    String first = segments.isEmpty() ? "" : segments.getFirst();
    if (HealthPath.matches(call.path())) {
      return segments.size() == 1
          ? health.answer(first, call.query())
          : health
              .answer(first, String.join("/", segments.subList(1, segments.size())))
              .orElseGet(Router::noPage);
    }
    ApiResponse page =
        issuer.of(call.path()).or(() -> discovery.of(call, route)).orElseGet(Router::noPage);
    if (page.code() == 200 && !call.method().equals("GET")) {
      throw notAllowed();
    }
    return page;
  }

  private static ApiResponse noPage() {
    return ApiResponse.text(404, "404 page not found\n");
  }

  private ApiResponse resource(Call call, Route.Resource route) throws IOException {
    ApiResource resource = route.served().orElse(null);
    Kind kind = resource == null ? null : resource.stored();
    if (resource == null || kind == null) {
      return unstored(call, route);
    }
    if (resource.custom() != null && isOfOtherScope(kind, route)) {
      throw notFound();
    }
    call.warnings().add(resource.deprecations());
    if (route.name().isEmpty()) {
      requireVerb(call, resource.verbs());
      return collection(call, kind, route);
    }
    if (kind.namespaced() && route.namespace().isEmpty()) {
      throw notFound();
    }
    checkName(route.name());
    ObjectRef ref = new ObjectRef(kind, route.namespace(), route.name());
    if (!route.subresource().isEmpty()) {
      return subresource(call, ref, route.servedSubresource().orElseThrow(Router::notFound));
    }
    requireVerb(call, resource.verbs());
    return object(call, ref, "");
  }

  /**
   * True if a path has a namespace and the kind has none, or the other way round. Objects of all
   * namespaces can be listed and watched.
   */
  private static boolean isOfOtherScope(Kind kind, Route.Resource route) {
    boolean isForAll = route.name().isEmpty() && LISTING.contains(route.verb());
    return kind.namespaced()
        ? route.namespace().isEmpty() && !isForAll
        : !route.namespace().isEmpty();
  }

  /** Throws {@code BAD_REQUEST} for a name that no object can have. */
  private static void checkName(String name) {
    String why =
        name.equals(".") || name.equals("..")
            ? "may not be '" + name + "'"
            : name.contains("%") ? "may not contain '%'" : "";
    if (!why.isEmpty()) {
      throw new ClusterException(
          Reason.BAD_REQUEST, "Name parameter invalid: \"%s\": %s".formatted(name, why));
    }
  }

  /**
   * Answers requests whose objects are not stored: bindings, reviews, and paths that name nothing.
   */
  private ApiResponse unstored(Call call, Route.Resource route) throws IOException {
    Kind review = AccessReviewHandler.kind(route).orElse(null);
    if (review != null) {
      requireVerb(call, List.of("create"));
      return reviews.answer(call, review, route.namespace());
    }
    if (!api.catalogue().hasGroupVersion(route.group(), route.version())) {
      return noPage();
    }
    if (route.resource().equals("bindings")
        && route.group().isEmpty()
        && route.verb().equals("create")) {
      return pods.bind(call, route.namespace(), "");
    }
    throw notFound();
  }

  private ApiResponse collection(Call call, Kind kind, Route.Resource route) throws IOException {
    @Nullable String namespace = route.namespace().isEmpty() ? null : route.namespace();
    if (kind.namespaced() && namespace == null && !LISTING.contains(route.verb())) {
      throw notAllowed();
    }
    return switch (route.verb()) {
      case "list" -> reads.list(call, kind, namespace);
      case "watch" -> watch(call, kind, namespace);
      case "create" -> writes.create(call, kind, route.namespace());
      case "deletecollection" -> deletes.deleteCollection(call, kind, namespace);
      default -> throw notAllowed();
    };
  }

  private ApiResponse object(Call call, ObjectRef ref, String subresource) throws IOException {
    return switch (call.route().verb()) {
      case "get" -> reads.get(call, ref);
      case "update" -> writes.replace(call, ref, subresource);
      case "patch" -> patches.patch(call, ref, subresource);
      case "delete" -> deletes.delete(call, ref);
      default -> throw notAllowed();
    };
  }

  private ApiResponse subresource(Call call, ObjectRef ref, Subresource subresource)
      throws IOException {
    requireVerb(call, subresource.verbs());
    return switch (subresource.name()) {
      case "binding" -> pods.bind(call, ref.namespace(), ref.name());
      case "eviction" -> pods.evict(call, ref);
      case "log" -> logs.answer(call, ref);
      case "exec" -> sessions.exec(call, ref);
      case "attach" -> sessions.attach(call, ref);
      case "token" -> reviews.token(call, ref);
      default -> object(call, ref, subresource.name());
    };
  }

  /** Throws {@code METHOD_NOT_ALLOWED} unless the request has one of these verbs. */
  private static void requireVerb(Call call, List<String> verbs) {
    if (!verbs.contains(call.route().verb()) || call.method().equals("HEAD")) {
      throw notAllowed();
    }
  }

  private ApiResponse watch(Call call, Kind kind, @Nullable String namespace) {
    boolean isSocket = WebSocketUpgrade.isRequested(call);
    ResponseRenderer rendering =
        ResponseRenderer.of(
            call,
            isSocket ? ContentNegotiation.Offer.WEB_SOCKET : ContentNegotiation.Offer.WATCH,
            clock);
    ListParameters parameters = ListParameters.of(call.resource().fields(), call.query(), true);
    if (parameters.initialEvents() && parameters.revision() != null) {
      ListParameters.reached(parameters.revision(), api.registry().revision());
    }
    WatchStream stream =
        new WatchStream(api, steady, unanswered, kind, namespace, parameters, rendering);
    return isSocket
        ? WebSocketUpgrade.watch(stream)
        : new ApiResponse.Streamed(200, rendering.accepted().streamType(), stream, List.of());
  }

  private static ClusterException notFound() {
    return new ClusterException(
        Reason.NOT_FOUND, "the server could not find the requested resource");
  }

  private static ClusterException notAllowed() {
    return new ClusterException(
        Reason.METHOD_NOT_ALLOWED,
        "the server does not allow this method on the requested resource");
  }
}
