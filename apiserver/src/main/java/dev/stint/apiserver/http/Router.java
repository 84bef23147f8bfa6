package dev.stint.apiserver.http;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.access.Reviews;
import dev.stint.apiserver.access.TokenRequests;
import dev.stint.apiserver.pods.PodAccess;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Knows what serves which request. */
public final class Router {
  private static final Set<String> HEALTH = Set.of("healthz", "livez", "readyz");
  private static final Set<String> STATUS_OF_ITS_OWN =
      Set.of("jobs", "cronjobs", "pods", "namespaces", "nodes");

  private final ApiServer api;
  private final InstantSource clock;
  private final Health health;
  private final Reads reads;
  private final Writes writes;
  private final Patches patches;
  private final Deletes deletes;
  private final PodActions pods;
  private final PodLogs logs;
  private final PodSessions sessions;
  private final Questions questions;

  /**
   * @param reviews answers questions about access
   * @param tokens gives service accounts tokens
   * @param access to who runs pods; null where nobody here does
   */
  public Router(
      ApiServer api,
      InstantSource clock,
      Health health,
      Reviews reviews,
      TokenRequests tokens,
      @Nullable PodAccess access) {
    this.logs = new PodLogs(api, clock, access);
    this.sessions = new PodSessions(api, access);
    this.questions = new Questions(reviews, tokens);
    this.api = api;
    this.clock = clock;
    this.health = health;
    this.reads = new Reads(api, clock);
    this.writes = new Writes(api, clock);
    this.patches = new Patches(api, writes, clock);
    this.deletes = new Deletes(api, clock);
    this.pods = new PodActions(api, clock);
  }

  /** Answers a request, which is allowed. Refusals are answers too. */
  Reply answer(Call asked) throws IOException {
    Call call = ProtobufCalls.asJson(asked);
    Reply reply = routed(call);
    return reply instanceof Reply.Whole whole ? whole.warning(call.warnings().texts()) : reply;
  }

  private Reply routed(Call call) throws IOException {
    try {
      return switch (Route.of(call.path())) {
        case Route.Plain(String path) -> plain(call, path);
        case Route.Objects objects -> objects(call, objects);
      };
    } catch (ClusterException refusal) {
      return Reply.refused(refusal);
    }
  }

  private Reply plain(Call call, String path) {
    String[] parts = path.split("/", 3);
    String first = parts.length > 1 ? parts[1] : "";
    if (HEALTH.contains(first)) {
      return health.answer(first, call.query());
    }
    return call.method().equals("GET") ? Pages.of(call).orElseGet(Router::noPage) : noPage();
  }

  private static Reply noPage() {
    return Reply.text(404, "404 page not found\n");
  }

  private Reply objects(Call call, Route.Objects route) throws IOException {
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
    return object(call, new ObjectRef(kind, route.namespace(), route.name()), route.subresource());
  }

  /** What is asked and not kept: bindings by themselves, and paths that name nothing. */
  private Reply unkept(Call call, Route.Objects route) throws IOException {
    Kind review = Questions.kind(route).orElse(null);
    if (review != null) {
      if (!call.method().equals("POST")) {
        throw notAllowed(call);
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

  private Reply collection(Call call, Kind kind, Route.Objects route) throws IOException {
    @Nullable String namespace = route.namespace().isEmpty() ? null : route.namespace();
    return switch (call.method()) {
      case "GET", "HEAD" ->
          call.query().flag("watch")
              ? watch(call, kind, namespace, "")
              : reads.list(call, kind, namespace);
      case "POST" -> {
        if (kind.namespaced() && namespace == null) {
          throw notAllowed(call);
        }
        yield writes.create(call, kind, route.namespace());
      }
      case "DELETE" -> {
        if (!sweepable(kind, namespace)) {
          throw notAllowed(call);
        }
        yield deletes.deleteCollection(call, kind, namespace);
      }
      default -> throw notAllowed(call);
    };
  }

  /** Whether all can be deleted at once: never the namespaces, nor what is in all of them. */
  private static boolean sweepable(Kind kind, @Nullable String namespace) {
    return kind.namespaced() ? namespace != null : !kind.equals(Kind.NAMESPACE);
  }

  private Reply object(Call call, ObjectRef ref, String subresource) throws IOException {
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
          throw notAllowed(call);
        }
        yield writes.replace(call, ref, subresource);
      }
      case "binding", "eviction" -> {
        if (!ref.kind().equals(Kind.POD)) {
          throw unknown();
        }
        if (!call.method().equals("POST")) {
          throw notAllowed(call);
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
          throw notAllowed(call);
        }
        yield questions.token(call, ref);
      }
      default -> throw unknown();
    };
  }

  private Reply inPod(Call call, ObjectRef ref, String subresource) throws IOException {
    boolean log = subresource.equals("log");
    if (!call.method().equals("GET") && (log || !call.method().equals("POST"))) {
      throw notAllowed(call);
    }
    return switch (subresource) {
      case "log" -> logs.answer(call, ref);
      case "exec" -> sessions.exec(call, ref);
      default -> sessions.attach(call, ref);
    };
  }

  private Reply whole(Call call, ObjectRef ref) throws IOException {
    return switch (call.method()) {
      case "GET", "HEAD" ->
          call.query().flag("watch")
              ? watch(call, ref.kind(), ref.namespace(), ref.name())
              : reads.get(call, ref);
      case "PUT" -> writes.replace(call, ref, "");
      case "PATCH" -> patches.patch(call, ref, "");
      case "DELETE" -> deletes.delete(call, ref);
      default -> throw notAllowed(call);
    };
  }

  private Reply part(Call call, ObjectRef ref, String subresource) throws IOException {
    return switch (call.method()) {
      case "GET", "HEAD" -> reads.get(call, ref);
      case "PUT" -> writes.replace(call, ref, subresource);
      case "PATCH" -> patches.patch(call, ref, subresource);
      default -> throw notAllowed(call);
    };
  }

  private Reply watch(Call call, Kind kind, @Nullable String namespace, String name) {
    Rendering rendering = Rendering.of(call, clock);
    ListParameters parameters =
        ListParameters.of(View.of(call).kind(kind), name, call.query(), true);
    WatchStream stream = new WatchStream(api, clock, kind, namespace, parameters, rendering);
    return Sockets.asked(call)
        ? Sockets.watch(stream)
        : new Reply.Streamed(200, Reply.JSON, stream, java.util.List.of());
  }

  private static ClusterException unknown() {
    return new ClusterException(
        Reason.NOT_FOUND, "the server could not find the requested resource");
  }

  private static ClusterException notAllowed(Call call) {
    return new ClusterException(
        Reason.METHOD_NOT_ALLOWED,
        "the server does not allow this method on the requested resource: " + call.method());
  }
}
