package dev.stint.apiserver.http.pod;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.http.handler.BlockingCall;
import dev.stint.apiserver.pods.LogRequest;
import dev.stint.apiserver.pods.PodAccess;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Handles logs of pods, including deleted ones while their logs are kept. Requests are validated
 * like in Kubernetes 1.36.
 */
public final class PodLogHandler {
  private static final Kind OPTIONS = new Kind("", "v1", "PodLogOptions", "podlogoptions", true);

  /** The memory that a reader of a log holds: two buffers, a line and a piece. */
  static final long MEMORY = 160 << 10;

  private final ApiServer api;
  private final InstantSource clock;
  private final @Nullable PodAccess access;

  /**
   * @param access null if no pods run here
   */
  public PodLogHandler(ApiServer api, InstantSource clock, @Nullable PodAccess access) {
    this.api = api;
    this.clock = clock;
    this.access = access;
  }

  public ApiResponse answer(Call call, ObjectRef ref) throws IOException {
    QueryParameters query = call.query();
    check(ref, query);
    KubeObject pod = pod(ref);
    String named = query.text("container");
    String container =
        pod == null
            ? ContainerLookup.kept(ref.name(), kept(ref), named)
            : ContainerLookup.of(pod, named);
    if (access == null) {
      throw PodExecHandler.nobodyRuns("log", ref);
    }
    if (pod != null && Json.text(pod.spec(), "nodeName") == null) {
      return ApiResponse.text(204, "");
    }
    PodAccess.Log log = access.log(request(ref, pod, container, query));
    if (WebSocketUpgrade.isRequested(call)) {
      return new ApiResponse.Upgraded(
          WebSocketUpgrade.protocol(call, PodLogWebSocket.PROTOCOLS), new PodLogWebSocket(log));
    }
    return new ApiResponse.Streamed(200, "text/plain", new LogBody(log), List.of());
  }

  private record LogBody(PodAccess.Log log) implements ApiResponse.Body {
    @Override
    public long memory() {
      return MEMORY;
    }

    @Override
    public void writeTo(ApiResponse.Sink sink) throws IOException, InterruptedException {
      CompletableFuture<Boolean> closed = new CompletableFuture<>();
      sink.onClose(() -> closed.complete(true));
      log.writeTo(sink::write, closed);
    }
  }

  /** Returns the pod; null if it does not exist (any more). */
  private @Nullable KubeObject pod(ObjectRef ref) {
    try {
      return BlockingCall.on(api.registry().get(ref));
    } catch (ClusterException refusal) {
      if (refusal.reason() == Reason.NOT_FOUND) {
        return null;
      }
      throw refusal;
    }
  }

  private List<String> kept(ObjectRef ref) throws IOException {
    List<String> kept = access == null ? List.of() : access.kept(ref.namespace(), ref.name());
    if (kept.isEmpty()) {
      throw notFound(ref);
    }
    return kept;
  }

  static ClusterException notFound(ObjectRef ref) {
    return new ClusterException(
        Reason.NOT_FOUND, "pods \"%s\" not found".formatted(ref.name()), List.of(), null, ref);
  }

  private LogRequest request(
      ObjectRef ref, @Nullable KubeObject pod, String container, QueryParameters query) {
    Long seconds = number(query, "sinceSeconds");
    Instant time = time(query);
    return new LogRequest(
        ref.namespace(),
        ref.name(),
        pod,
        container,
        query.flag("previous"),
        query.flag("follow"),
        query.flag("timestamps"),
        number(query, "tailLines"),
        seconds == null ? time : clock.instant().minusSeconds(seconds),
        number(query, "limitBytes"),
        stream(query));
  }

  /** Throws {@code INVALID} with all faults of the query. */
  private static void check(ObjectRef ref, QueryParameters query) {
    List<FieldError> faults = new ArrayList<>();
    Long tail = number(query, "tailLines");
    atLeast(faults, "tailLines", tail, 0, "must be greater than or equal to 0");
    atLeast(faults, "limitBytes", number(query, "limitBytes"), 1, "must be greater than 0");
    Long seconds = number(query, "sinceSeconds");
    if (seconds != null && time(query) != null) {
      faults.add(
          new FieldError(
              "",
              FieldError.Type.FORBIDDEN,
              "at most one of `sinceTime` or `sinceSeconds` may be specified"));
    }
    atLeast(faults, "sinceSeconds", seconds, 1, "must be greater than 0");
    String stream = query.text("stream");
    if (!List.of("", "All", "Stdout", "Stderr").contains(stream)) {
      faults.add(
          new FieldError(
              "stream",
              FieldError.Type.NOT_SUPPORTED,
              "supported values: \"All\", \"Stderr\", \"Stdout\"",
              JsonNodeFactory.instance.stringNode(stream)));
    }
    if (tail != null && !List.of("", "All").contains(stream)) {
      faults.add(
          new FieldError(
              "tailLines",
              FieldError.Type.FORBIDDEN,
              "`tailLines` is forbidden when stream is not `All`"));
    }
    if (!faults.isEmpty()) {
      throw ClusterException.refusing(new ObjectRef(OPTIONS, "", ref.name()), faults);
    }
  }

  private static void atLeast(
      List<FieldError> faults, String name, @Nullable Long value, long least, String detail) {
    if (value != null && value < least) {
      faults.add(
          new FieldError(
              name, FieldError.Type.INVALID, detail, JsonNodeFactory.instance.numberNode(value)));
    }
  }

  private static @Nullable Long number(QueryParameters query, String name) {
    String text = query.text(name);
    try {
      return text.isEmpty() ? null : Long.valueOf(text);
    } catch (NumberFormatException notOne) {
      throw new ClusterException(
          Reason.BAD_REQUEST, "%s: \"%s\" is not a whole number".formatted(name, text));
    }
  }

  private static @Nullable Instant time(QueryParameters query) {
    String text = query.text("sinceTime");
    try {
      return text.isEmpty() ? null : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException notOne) {
      throw new ClusterException(
          Reason.BAD_REQUEST,
          "sinceTime: \"%s\" is not a time such as 2026-01-31T12:00:00Z".formatted(text));
    }
  }

  private static LogRequest.Stream stream(QueryParameters query) {
    return switch (query.text("stream")) {
      case "Stdout" -> LogRequest.Stream.STDOUT;
      case "Stderr" -> LogRequest.Stream.STDERR;
      default -> LogRequest.Stream.ALL;
    };
  }
}
