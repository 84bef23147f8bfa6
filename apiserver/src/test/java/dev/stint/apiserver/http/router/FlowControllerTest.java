package dev.stint.apiserver.http.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.flowcontrol.FlowControlMetrics;
import dev.stint.apiserver.flowcontrol.FlowControlSource;
import dev.stint.apiserver.flowcontrol.StreamLimits;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Requests wait for their turn, and those that must not wait do not. */
class FlowControllerTest {
  private static final User JANE = User.of("jane", User.AUTHENTICATED);
  private static final User ADMIN = User.of("admin", "system:masters", User.AUTHENTICATED);
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String QUEUE =
      "{'type':'Queue','queuing':{'queues':4,'handSize':1,'queueLengthLimit':2}}";
  private static final ApiResponse.Whole DONE = ApiResponse.text(200, "done");

  private final TestTime time = new TestTime();
  private final Objects objects = new Objects();
  private final Events events = new Events();
  private final List<Runnable> ends = new ArrayList<>();

  @Test
  void aRequestWaitsForItsSeatAndAnswersNameTheSchemaAndTheLevel() throws Exception {
    FlowController controller = controller();
    Held first = new Held(controller, JANE);
    CompletableFuture<ApiResponse> second = ask(controller, JANE);
    events.await("queued mine");
    assertThat(second).isNotDone();

    first.end();
    assertThat(second.get().code()).isEqualTo(200);
    assertThat(second.get().headers())
        .contains(
            new ApiResponse.Header("X-Kubernetes-PF-FlowSchema-UID", "uid of mine"),
            new ApiResponse.Header("X-Kubernetes-PF-PriorityLevel-UID", "uid of mine"));
    assertThat(events.all)
        .containsSubsequence("dispatched mine PT0S", "queued mine", "unqueued mine")
        .contains("ended mine");
  }

  @Test
  void aWaitEnds() throws Exception {
    FlowController controller = controller();
    Held first = new Held(controller, JANE);
    CompletableFuture<ApiResponse> second = ask(controller, JANE);
    events.await("queued mine");
    time.advance(Seats.LONGEST_WAIT);
    ApiResponse refusal = second.get();
    assertThat(refusal.code()).isEqualTo(429);
    assertThat(refusal.headers()).contains(new ApiResponse.Header("Retry-After", "1"));
    assertThat(Json.parse(((ApiResponse.Whole) refusal).body()).get("message").asString())
        .isEqualTo(
            "too many requests of priority level \"mine\" (time-out), please try again later");
    assertThat(events.all).contains("rejected mine time-out PT15S");
    first.end();
  }

  /** Kubernetes lets a request wait for a quarter of its time limit. */
  @Test
  void aWaitIsAQuarterOfTheTimeThatTheClientWaitsFor() throws Exception {
    FlowController controller = controller();
    Held first = new Held(controller, JANE);
    CompletableFuture<ApiResponse> second = ask(controller, JANE, PODS + "/a?timeout=4s");
    events.await("queued mine");
    time.advance(Duration.ofMillis(999));
    assertThat(second).isNotDone();
    time.advance(Duration.ofMillis(1));
    assertThat(second.get().code()).isEqualTo(429);
    assertThat(events.all).contains("rejected mine time-out PT1S");
    first.end();
  }

  @Test
  void aFullQueueAndALevelWithoutQueuesRefuse() throws Exception {
    FlowController controller = controller();
    Held first = new Held(controller, JANE);
    CompletableFuture<ApiResponse> second = ask(controller, JANE);
    events.await("queued mine");
    CompletableFuture<ApiResponse> third = ask(controller, JANE);
    events.await("queued mine");
    assertThat(answer(controller, JANE).code()).isEqualTo(429);
    assertThat(events.all).contains("rejected mine queue-full PT0S");

    objects.level("{'type':'Reject'}");
    assertThat(answer(controller, JANE).code()).isEqualTo(429);
    assertThat(events.all).contains("rejected mine concurrency-limit PT0S");
    assertThat(second.get().code()).isEqualTo(429);
    assertThat(third.get().code()).isEqualTo(429);
    first.end();
  }

  @Test
  void administratorsAndHealthChecksNeverWait() throws Exception {
    FlowController controller = controller();
    Held first = new Held(controller, JANE);
    assertThat(answer(controller, ADMIN).code()).isEqualTo(200);
    for (String path : List.of("/readyz", "/livez/ping", "/healthz")) {
      Call probe = call("GET", path);
      RequestAttributes attributes = RequestAttributes.ofPath(JANE, "get", path);
      assertThat(controller.answer(probe, attributes, _ -> DONE)).isSameAs(DONE);
    }
    first.end();
  }

  /** A client that sends its body slowly keeps nobody else from a seat. */
  @Test
  void theSeatIsFreeWhileTheBodyComes() throws Exception {
    FlowController controller = controller();
    List<String> order = new ArrayList<>();
    Call slow =
        call("POST", PODS)
            .with(() -> {
              assertThat(answer(controller, JANE).code()).isEqualTo(200);
              order.add("other");
              return new byte[0];
            });
    ApiResponse reply =
        controller.answer(
            slow,
            AccessFilter.attributes(slow, JANE),
            call -> {
              call.body().read();
              order.add("slow");
              return DONE;
            });
    assertThat(reply.code()).isEqualTo(200);
    assertThat(order).containsExactly("other", "slow");
    assertThat(answer(controller, JANE).code()).isEqualTo(200);
  }

  /** A body that never comes takes nothing with it. */
  @Test
  void aRequestThatFailsGivesItsSeatBack() throws Exception {
    FlowController controller = controller();
    Call broken =
        call("POST", PODS)
            .with(() -> {
              throw new IOException("gone");
            });
    assertThatThrownBy(() ->
            controller.answer(
                broken,
                AccessFilter.attributes(broken, JANE),
                call -> {
                  call.body().read();
                  return DONE;
                }))
        .hasMessage("gone");
    assertThat(answer(controller, JANE).code()).isEqualTo(200);
  }

  @Test
  void aWatchHasASeatOnlyWhileItBeginsAndCountsUntilItEnds() throws Exception {
    FlowController controller = controller();
    assertThat(watch(controller).code()).isEqualTo(200);
    assertThat(answer(controller, JANE).code()).isEqualTo(200);
    assertThat(watch(controller).code()).isEqualTo(200);
    ApiResponse refusal = watch(controller);
    assertThat(refusal.code()).isEqualTo(429);
    assertThat(refusal.headers()).extracting(ApiResponse.Header::name).contains("Retry-After");

    ends.getFirst().run();
    assertThat(watch(controller).code()).isEqualTo(200);
  }

  @Test
  void aWatchThatIsRefusedDoesNotCount() throws Exception {
    FlowController controller = controller();
    for (int i = 0; i < 9; i++) {
      Call watch = call("GET", PODS + "?watch=true");
      controller.answer(watch, AccessFilter.attributes(watch, JANE), _ -> DONE);
    }
    assertThat(watch(controller).code()).isEqualTo(200);
  }

  /** A client that reads slowly keeps nobody else from a seat. */
  @Test
  void aListHasItsSeatWhileAPieceIsMadeAndNotWhileItIsSent() throws Exception {
    FlowController controller = controller();
    Call list = call("GET", PODS);
    List<String> order = new ArrayList<>();
    ApiResponse.Streamed reply =
        (ApiResponse.Streamed)
            controller.answer(
                list,
                AccessFilter.attributes(list, JANE),
                _ ->
                    new ApiResponse.Streamed(
                        200, ApiResponse.JSON, new TwoPieces(order), List.of()));
    reply
        .body()
        .writeTo(
            new ApiResponse.Sink() {
              @Override
              public void write(byte[] bytes) throws IOException {
                assertThat(answer(controller, JANE).code()).isEqualTo(200);
                order.add("sent");
              }

              @Override
              public void onClose(Runnable task) {}
            });
    assertThat(order).containsExactly("made", "sent", "made", "sent");
    assertThat(answer(controller, JANE).code()).isEqualTo(200);
  }

  @Test
  void aPieceWaitsForItsTurn() throws Exception {
    FlowController controller = controller();
    Call list = call("GET", PODS);
    List<String> order = new CopyOnWriteArrayList<>();
    ApiResponse.Streamed reply =
        (ApiResponse.Streamed)
            controller.answer(
                list,
                AccessFilter.attributes(list, JANE),
                _ ->
                    new ApiResponse.Streamed(
                        200, ApiResponse.JSON, new TwoPieces(order), List.of()));
    Held first = new Held(controller, JANE);
    CompletableFuture<Boolean> written = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        reply.body().writeTo(new Nowhere());
        written.complete(true);
      } catch (IOException | InterruptedException failure) {
        written.completeExceptionally(failure);
      }
    });
    events.await("queued mine");
    assertThat(order).isEmpty();
    first.end();
    assertThat(written.get()).isTrue();
    assertThat(order).containsExactly("made", "made");
  }

  private record Nowhere() implements ApiResponse.Sink {
    @Override
    public void write(byte[] bytes) {}

    @Override
    public void onClose(Runnable task) {}
  }

  private record TwoPieces(List<String> order) implements ApiResponse.Body {
    @Override
    public boolean isFinite() {
      return true;
    }

    @Override
    public void writeTo(ApiResponse.Sink sink) throws IOException {
      for (int i = 0; i < 2; i++) {
        sink.write(
            1,
            () -> {
              order.add("made");
              return new byte[1];
            });
      }
    }
  }

  private record EndingBody(List<Runnable> ends) implements Call.Body {
    @Override
    public byte[] read() {
      return new byte[0];
    }

    @Override
    public void onEnd(Runnable task) {
      ends.add(task);
    }
  }

  @Test
  void aConfigurationThatCannotBeReadChangesNothing() throws Exception {
    FlowController controller = controller();
    assertThat(answer(controller, JANE).headers()).isNotEmpty();
    objects.unreadable = true;
    objects.revision++;
    assertThat(answer(controller, JANE).headers()).isNotEmpty();
  }

  private FlowController controller() {
    objects.level(QUEUE);
    return new FlowController(
        objects, (_, _, _) -> 0, new Seats(1, 100, 7, time, time), new StreamLimits(8, 8), events);
  }

  private ApiResponse watch(FlowController controller) throws IOException {
    Call watch = call("GET", PODS + "?watch=true").with(new EndingBody(ends));
    return controller.answer(watch, AccessFilter.attributes(watch, JANE), _ -> streamed());
  }

  private static ApiResponse streamed() {
    return new ApiResponse.Streamed(200, ApiResponse.JSON, _ -> {}, List.of());
  }

  private static CompletableFuture<ApiResponse> ask(FlowController controller, User user) {
    return ask(controller, user, PODS + "/a");
  }

  private static CompletableFuture<ApiResponse> ask(
      FlowController controller, User user, String target) {
    CompletableFuture<ApiResponse> reply = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        reply.complete(answer(controller, user, target));
      } catch (IOException | RuntimeException failure) {
        reply.completeExceptionally(failure);
      }
    });
    return reply;
  }

  private static ApiResponse answer(FlowController controller, User user) throws IOException {
    return answer(controller, user, PODS + "/a");
  }

  private static ApiResponse answer(FlowController controller, User user, String target)
      throws IOException {
    Call call = call("GET", target);
    return controller.answer(call, AccessFilter.attributes(call, user), _ -> DONE);
  }

  private static Call call(String method, String target) {
    int mark = target.indexOf('?');
    return Call.anonymous(
        TestCatalogue.BUILT_IN,
        method,
        mark < 0 ? target : target.substring(0, mark),
        mark < 0 ? null : target.substring(mark + 1),
        _ -> null,
        () -> new byte[0]);
  }

  /** A request that is carried out until the test ends it. */
  private static final class Held {
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private final CompletableFuture<ApiResponse> reply = new CompletableFuture<>();

    Held(FlowController controller, User user) {
      CompletableFuture<Boolean> begun = new CompletableFuture<>();
      Call call = call("GET", PODS + "/held");
      Thread.startVirtualThread(() -> {
        try {
          reply.complete(
              controller.answer(
                  call,
                  AccessFilter.attributes(call, user),
                  _ -> {
                    begun.complete(true);
                    end.join();
                    return DONE;
                  }));
        } catch (IOException | RuntimeException failure) {
          reply.completeExceptionally(failure);
        }
      });
      begun.join();
    }

    void end() {
      end.complete(true);
      reply.join();
    }
  }

  /** One level of one seat, and a schema for all users but administrators. */
  private static final class Objects implements FlowControlSource {
    private List<KubeObject> levels = List.of();
    private long revision;
    private boolean unreadable;

    void level(String response) {
      String limited =
          "'limited':{'nominalConcurrencyShares':1000000,'limitResponse':" + response + "}";
      levels = List.of(object(Kind.PRIORITY_LEVEL, "{'type':'Limited'," + limited + "}"));
      revision++;
    }

    @Override
    public long revision() {
      return revision;
    }

    @Override
    public List<KubeObject> list(Kind kind) {
      if (unreadable) {
        throw new IllegalStateException("no key");
      }
      return kind.equals(Kind.PRIORITY_LEVEL)
          ? levels
          : List.of(
              object(
                  kind,
                  "{'matchingPrecedence':5,'priorityLevelConfiguration':{'name':'mine'},'rules':[{"
                      + "'subjects':[{'kind':'User','user':{'name':'jane'}}],'resourceRules':[{"
                      + "'verbs':['*'],'apiGroups':['*'],'resources':['*'],'namespaces':['*']}]}]}"));
    }

    private static KubeObject object(Kind kind, String spec) {
      ObjectNode object = Json.object();
      object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
      object.putObject("metadata").put("name", "mine").put("uid", "uid of mine");
      object.set("spec", Json.parse(spec.replace('\'', '"')));
      return KubeObject.of(object);
    }
  }

  /** Records the metrics, in their order. */
  private static final class Events implements FlowControlMetrics {
    private final List<String> all = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<String> news = new LinkedBlockingQueue<>();

    private void add(String event) {
      all.add(event);
      news.add(event);
    }

    void await(String event) throws InterruptedException {
      while (!news.take().equals(event)) {
        // another one
      }
    }

    @Override
    public void onConfigured(Map<String, Integer> nominalSeats) {}

    @Override
    public Series series(String schema, String level) {
      return new Series() {
        @Override
        public void onQueued() {
          add("queued " + schema);
        }

        @Override
        public void onUnqueued() {
          add("unqueued " + schema);
        }

        @Override
        public void onDispatched(Duration waited) {
          add("dispatched " + schema + " " + waited);
        }

        @Override
        public void onRejected(String reason, Duration waited) {
          add("rejected " + schema + " " + reason + " " + waited);
        }

        @Override
        public void onEnded() {
          add("ended " + schema);
        }
      };
    }
  }
}
