package dev.stint.apiserver.http.router;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.access.AccessReviews;
import dev.stint.apiserver.access.TokenRequests;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.PendingWrites;
import dev.stint.apiserver.http.ProtobufFilter;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.http.handler.AccessReviewHandler;
import dev.stint.apiserver.http.handler.ContentNegotiation;
import dev.stint.apiserver.http.handler.DeleteHandler;
import dev.stint.apiserver.http.handler.DiscoveryHandler;
import dev.stint.apiserver.http.handler.HealthHandler;
import dev.stint.apiserver.http.handler.ListParameters;
import dev.stint.apiserver.http.handler.ObjectView;
import dev.stint.apiserver.http.handler.PatchHandler;
import dev.stint.apiserver.http.handler.ReadHandler;
import dev.stint.apiserver.http.handler.ResponseRenderer;
import dev.stint.apiserver.http.handler.WatchStream;
import dev.stint.apiserver.http.handler.WriteHandler;
import dev.stint.apiserver.http.pod.PodExecHandler;
import dev.stint.apiserver.http.pod.PodLogHandler;
import dev.stint.apiserver.http.pod.PodSubresourceHandler;
import dev.stint.apiserver.http.pod.WebSocketUpgrade;
import dev.stint.apiserver.pods.PodAccess;
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
  private static final Set<String> HEALTH = Set.of("healthz", "livez", "readyz");
  private static final Set<String> READING = Set.of("GET", "HEAD");
  private static final Set<String> STATUS_OF_ITS_OWN =
      Set.of("jobs", "cronjobs", "pods", "namespaces", "nodes");

  private final ApiServer api;
  private final InstantSource clock;
  private final HealthHandler health;
  private final ReadHandler reads;
  private final WriteHandler writes;
  private final PatchHandler patches;
  private final DeleteHandler deletes;
  private final PodSubresourceHandler pods;
  private final PodLogHandler logs;
  private final PodExecHandler sessions;
  private final AccessReviewHandler questions;
  private final PendingWrites unanswered = new PendingWrites();

  /**
   * @param reviews answers questions about access
   * @param tokens issues tokens of service accounts
   * @param access to running pods; null if none run here
   */
  public Router(
      ApiServer api,
      InstantSource clock,
      HealthHandler health,
      AccessReviews reviews,
      TokenRequests tokens,
      @Nullable PodAccess access) {
    this.logs = new PodLogHandler(api, clock, access);
    this.sessions = new PodExecHandler(api, access);
    this.questions = new AccessReviewHandler(reviews, tokens, clock);
    this.api = api;
    this.clock = clock;
    this.health = health;
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
    ApiResponse reply = routed(asked);
    return reply instanceof ApiResponse.Whole whole
        ? whole.warning(asked.warnings().texts())
        : reply;
  }

  private ApiResponse routed(Call asked) throws IOException {
    try {
      Call call = ProtobufFilter.asJson(asked);
      return switch (Route.of(call.path())) {
        case Route.Plain(String path) -> plain(call, path);
        case Route.Objects objects -> objects(call, objects);
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
    boolean yaml =
        ContentNegotiation.find(call.header("Accept"), ContentNegotiation.Offer.PLAIN)
            .filter(ContentNegotiation::yaml)
            .isPresent();
    return yaml ? ApiResponse.refused(refusal).inYaml() : ApiResponse.refused(refusal);
  }

  private ApiResponse plain(Call call, String path) {
    String[] parts = path.split("/", 3);
    String first = parts.length > 1 ? parts[1] : "";
    if (HEALTH.contains(first)) {
      return parts.length == 2
          ? health.answer(first, call.query())
          : health.answer(first, parts[2]).orElseGet(Router::noPage);
    }
    ApiResponse page = DiscoveryHandler.of(call).orElseGet(Router::noPage);
    if (page.code() == 200 && !call.method().equals("GET")) {
      throw notAllowed();
    }
    return page;
  }

  private static ApiResponse noPage() {
    return ApiResponse.text(404, "404 page not found\n");
  }

  private ApiResponse objects(Call call, Route.Objects route) throws IOException {
    Kind kind = route.kind().orElse(null);
    if (kind == null) {
      return unkept(call, route);
    }
    if (route.name().isEmpty()) {
      return collection(call, kind, route);
    }
    if (kind.namespaced() && route.namespace().isEmpty()) {
      throw unknown();
    }
    checkName(route.name());
    return object(call, new ObjectRef(kind, route.namespace(), route.name()), route.subresource());
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
  private ApiResponse unkept(Call call, Route.Objects route) throws IOException {
    Kind review = AccessReviewHandler.kind(route).orElse(null);
    if (review != null) {
      if (!call.method().equals("POST")) {
        throw notAllowed();
      }
      return questions.answer(call, review, route.namespace());
    }
    boolean known =
        Kind.all().stream()
            .anyMatch(kind ->
                kind.group().equals(route.group()) && kind.version().equals(route.version()));
    if (!known) {
      return noPage();
    }
    if (route.resource().equals("bindings")
        && route.group().isEmpty()
        && call.method().equals("POST")) {
      return pods.bind(call, route.namespace(), "");
    }
    throw unknown();
  }

  private ApiResponse collection(Call call, Kind kind, Route.Objects route) throws IOException {
    @Nullable String namespace = route.namespace().isEmpty() ? null : route.namespace();
    return switch (call.method()) {
      case "GET" ->
          call.query().flag("watch")
              ? watch(call, kind, namespace)
              : reads.list(call, kind, namespace);
      case "POST" -> {
        if (kind.namespaced() && namespace == null) {
          throw notAllowed();
        }
        yield writes.create(call, kind, route.namespace());
      }
      case "DELETE" -> {
        if (!sweepable(kind, namespace)) {
          throw notAllowed();
        }
        yield deletes.deleteCollection(call, kind, namespace);
      }
      default -> throw notAllowed();
    };
  }

  /**
   * True if a collection can be deleted: never namespaces, nor the objects of all namespaces at
   * once.
   */
  private static boolean sweepable(Kind kind, @Nullable String namespace) {
    return kind.namespaced() ? namespace != null : !kind.equals(Kind.NAMESPACE);
  }

  private ApiResponse object(Call call, ObjectRef ref, String subresource) throws IOException {
    return switch (subresource) {
      case "" -> whole(call, ref);
      case "status" -> {
        if (!STATUS_OF_ITS_OWN.contains(ref.kind().plural())) {
          throw unknown();
        }
        yield part(call, ref, subresource);
      }
      case "finalize" -> {
        if (!ref.kind().equals(Kind.NAMESPACE)) {
          throw unknown();
        }
        if (!call.method().equals("PUT")) {
          throw notAllowed();
        }
        yield writes.replace(call, ref, subresource);
      }
      case "binding", "eviction" -> {
        if (!ref.kind().equals(Kind.POD)) {
          throw unknown();
        }
        if (!call.method().equals("POST")) {
          throw notAllowed();
        }
        yield subresource.equals("binding")
            ? pods.bind(call, ref.namespace(), ref.name())
            : pods.evict(call, ref);
      }
      case "log", "exec", "attach" -> {
        if (!ref.kind().equals(Kind.POD)) {
          throw unknown();
        }
        yield inPod(call, ref, subresource);
      }
      case "token" -> {
        if (!ref.kind().equals(Kind.SERVICE_ACCOUNT)) {
          throw unknown();
        }
        if (!call.method().equals("POST")) {
          throw notAllowed();
        }
        yield questions.token(call, ref);
      }
      default -> throw unknown();
    };
  }

  private ApiResponse inPod(Call call, ObjectRef ref, String subresource) throws IOException {
    boolean log = subresource.equals("log");
    if (!call.method().equals("GET") && (log || !call.method().equals("POST"))) {
      throw notAllowed();
    }
    return switch (subresource) {
      case "log" -> logs.answer(call, ref);
      case "exec" -> sessions.exec(call, ref);
      default -> sessions.attach(call, ref);
    };
  }

  private ApiResponse whole(Call call, ObjectRef ref) throws IOException {
    return switch (call.method()) {
      case "GET" -> reads.get(call, ref);
      case "PUT" -> writes.replace(call, ref, "");
      case "PATCH" -> patches.patch(call, ref, "");
      case "DELETE" -> deletes.delete(call, ref);
      default -> throw notAllowed();
    };
  }

  private ApiResponse part(Call call, ObjectRef ref, String subresource) throws IOException {
    return switch (call.method()) {
      case "GET" -> reads.get(call, ref);
      case "PUT" -> writes.replace(call, ref, subresource);
      case "PATCH" -> patches.patch(call, ref, subresource);
      default -> throw notAllowed();
    };
  }

  private ApiResponse watch(Call call, Kind kind, @Nullable String namespace) {
    ResponseRenderer rendering = ResponseRenderer.of(call, ContentNegotiation.Offer.WATCH, clock);
    ListParameters parameters =
        ListParameters.of(ObjectView.of(call).kind(kind), call.query(), true);
    if (parameters.initialEvents() && parameters.revision() != null) {
      ListParameters.reached(parameters.revision(), api.registry().revision());
    }
    WatchStream stream =
        new WatchStream(api, clock, unanswered, kind, namespace, parameters, rendering);
    return WebSocketUpgrade.asked(call)
        ? WebSocketUpgrade.watch(stream)
        : new ApiResponse.Streamed(200, ApiResponse.JSON, stream, List.of());
  }

  private static ClusterException unknown() {
    return new ClusterException(
        Reason.NOT_FOUND, "the server could not find the requested resource");
  }

  private static ClusterException notAllowed() {
    return new ClusterException(
        Reason.METHOD_NOT_ALLOWED,
        "the server does not allow this method on the requested resource");
  }
}
