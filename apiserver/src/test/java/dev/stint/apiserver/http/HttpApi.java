package dev.stint.apiserver.http;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.access.AccessReviews;
import dev.stint.apiserver.access.Authenticator;
import dev.stint.apiserver.access.Authorizer;
import dev.stint.apiserver.access.Impersonation;
import dev.stint.apiserver.access.ObjectUids;
import dev.stint.apiserver.access.ServiceAccountTokens;
import dev.stint.apiserver.access.TokenRequests;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.audit.Auditor;
import dev.stint.apiserver.http.handler.HealthHandler;
import dev.stint.apiserver.http.router.AccessFilter;
import dev.stint.apiserver.http.router.Router;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.SteadyClock;
import dev.stint.harness.ObjectBuilder;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.store.AccompanyingWrites;
import dev.stint.store.Entry;
import dev.stint.store.Precondition;
import dev.stint.store.StorageEngine;
import dev.stint.store.Store;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** An API behind its HTTP layer, without a port. Bodies are JSON with single quotes. */
public final class HttpApi implements AutoCloseable {
  public static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
  public static final String PODS = "/api/v1/namespaces/default/pods";
  public static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  public static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  static final String TOKEN = "admin";
  private static final ClientIdentity PEER = new ClientIdentity("127.0.0.1", null, null);

  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final Store store;
  private final ApiServer server;
  private final RequestFilter gate;

  public HttpApi() {
    this(ApiServer.Options.defaults());
  }

  public HttpApi(ApiServer.Options options) {
    this(options, Auditor.NONE);
  }

  public HttpApi(ApiServer.Options options, Auditor audit) {
    this(options, audit, InstantSource.system(), new SteadyClock());
  }

  /** Returns an API at a certain time, which objects' ages in tables depend on. */
  public static HttpApi at(InstantSource clock) {
    return at(clock, new SteadyClock());
  }

  /**
   * Returns an API at a certain time.
   *
   * @param steady measures how long watches last
   */
  public static HttpApi at(InstantSource clock, InstantSource steady) {
    return new HttpApi(ApiServer.Options.defaults(), Auditor.NONE, clock, steady);
  }

  /** Returns an API over a store of its own. */
  public static HttpApi over(StorageEngine engine, StoreOptions stored) {
    return new HttpApi(
        ApiServer.Options.defaults(),
        Auditor.NONE,
        InstantSource.system(),
        new SteadyClock(),
        engine,
        stored);
  }

  private HttpApi(
      ApiServer.Options options, Auditor audit, InstantSource clock, InstantSource steady) {
    this(options, audit, clock, steady, new SimulatedEngine(), StoreOptions.defaults());
  }

  private HttpApi(
      ApiServer.Options options,
      Auditor audit,
      InstantSource clock,
      InstantSource steady,
      StorageEngine engine,
      StoreOptions stored) {
    try {
      store = Store.open(engine, loop, stored);
      ApiServer api =
          new ApiServer(store, loop, clock, new SplittableRandom(7), FeatureGates.DEFAULT, options);
      ObjectUids uids = object -> api.registry().uid(object);
      ServiceAccountTokens tokens =
          new ServiceAccountTokens(
              KeyPairGenerator.getInstance("EC").generateKeyPair(), uids, clock);
      Authenticator authenticator = new Authenticator(TOKEN, tokens, clock);
      Authorizer authorizer = new Authorizer(api.rules());
      Router router =
          new Router(
              api,
              clock,
              steady,
              new HealthHandler(Map.of("store", () -> true)),
              new AccessReviews(authenticator, authorizer),
              new TokenRequests(tokens, uids),
              null);
      server = api;
      gate = new AccessFilter(authenticator, authorizer, router, audit);
    } catch (Exception fault) {
      throw new IllegalStateException(fault);
    }
  }

  /** An answer with its raw body. */
  public record Answer(int code, String type, String body) {
    public ObjectNode tree() {
      return Json.parse(body);
    }

    /** Returns the text at a JSON pointer; "" if there is none. */
    public String at(String pointer) {
      return tree().at(pointer).asString("");
    }

    /** Returns the member {@code field} of each cause. */
    public List<String> causes() {
      List<String> fields = new ArrayList<>();
      tree().at("/details/causes").forEach(cause -> fields.add(cause.path("field").asString("")));
      return fields;
    }
  }

  /** Puts an object into the store, as an earlier version may have done. */
  public void store(String key, String object) {
    store
        .put(
            key,
            object.getBytes(StandardCharsets.UTF_8),
            Precondition.any(),
            AccompanyingWrites.NONE)
        .join();
  }

  /** Returns what is stored; null if there is nothing. */
  public @Nullable Entry stored(String key) {
    return store.get(key);
  }

  /** Clears the caches, so that objects are read from their stored text again. */
  public void forget() {
    server.rest();
  }

  public Answer get(String target) {
    return call("GET", target, "", Map.of());
  }

  public Answer get(String target, String accept) {
    return call("GET", target, "", Map.of("Accept", accept));
  }

  public Answer post(String target, String body) {
    return call("POST", target, body, Map.of());
  }

  public Answer post(String target, ObjectBuilder<?> object) {
    return post(target, object.json());
  }

  public Answer delete(String target, String body) {
    return call("DELETE", target, body, Map.of());
  }

  /**
   * Makes a request, as the administrator unless a header names another user.
   *
   * @param body "" for none
   */
  public Answer call(String method, String target, String body, Map<String, String> headers) {
    byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    ApiResponse reply = reply(method, target, bytes, headers);
    return switch (reply) {
      case ApiResponse.Whole whole -> answer(whole);
      case ApiResponse.Streamed streamed -> answer(streamed);
      case ApiResponse.Upgraded upgraded ->
          throw new AssertionError("upgraded: " + upgraded.protocol());
    };
  }

  /** Answers a request as it is; may throw what becomes the answer. */
  ApiResponse answer(Call call) throws IOException {
    return gate.answer(call, PEER);
  }

  /** Makes a request as another user, for whom the administrator acts. */
  public Answer callAs(
      User user, String method, String target, String body, Map<String, String> headers) {
    ClientIdentity acting = new ClientIdentity("127.0.0.1", null, new Impersonation(user));
    byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return switch (reply(acting, method, target, bytes, headers)) {
      case ApiResponse.Whole whole -> answer(whole);
      case ApiResponse other -> new Answer(other.code(), other.type(), "");
    };
  }

  /** Returns the output of a watch until it has sent this many events, or ended. */
  public List<ObjectNode> watch(String target, String accept, int events) throws Exception {
    String limited = target + "&timeoutSeconds=10";
    ApiResponse reply = reply("GET", limited, new byte[0], Map.of("Accept", accept));
    if (!(reply instanceof ApiResponse.Streamed streamed)) {
      throw new AssertionError("no watch: " + answer((ApiResponse.Whole) reply));
    }
    Lines lines = new Lines(events);
    streamed.body().writeTo(lines);
    return lines.read();
  }

  public ApiResponse reply(String method, String target, byte[] body, Map<String, String> headers) {
    return reply(PEER, method, target, body, headers);
  }

  private ApiResponse reply(
      ClientIdentity peer, String method, String target, byte[] body, Map<String, String> headers) {
    int mark = target.indexOf('?');
    Map<String, String> all = new HashMap<>(Map.of("Authorization", "Bearer " + TOKEN));
    all.putAll(headers);
    try {
      return gate.answer(
          Call.anonymous(
              server.catalogue(),
              method,
              mark < 0 ? target : target.substring(0, mark),
              mark < 0 ? null : target.substring(mark + 1),
              all::get,
              () -> body),
          peer);
    } catch (ClusterException refusal) {
      return ApiResponse.refused(refusal);
    } catch (java.io.IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Answer answer(ApiResponse.Whole whole) {
    return new Answer(whole.code(), whole.type(), new String(whole.body(), StandardCharsets.UTF_8));
  }

  /** Returns a long list, which is written in pieces. */
  private static Answer answer(ApiResponse.Streamed streamed) {
    if (!streamed.body().isFinite()) {
      throw new AssertionError("streamed: " + streamed.code());
    }
    Lines all = new Lines(Integer.MAX_VALUE);
    try {
      streamed.body().writeTo(all);
    } catch (java.io.IOException | InterruptedException impossible) {
      throw new IllegalStateException(impossible);
    }
    return new Answer(streamed.code(), streamed.type(), all.bytes.toString(StandardCharsets.UTF_8));
  }

  /** Receives the output of a watch, and disconnects once that is enough. */
  private static final class Lines implements ApiResponse.Sink {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int enough;
    private @Nullable Runnable gone;

    Lines(int enough) {
      this.enough = enough;
    }

    @Override
    public void write(byte[] more) {
      bytes.writeBytes(more);
      if (gone != null && read().size() >= enough) {
        gone.run();
      }
    }

    @Override
    public void onClose(Runnable task) {
      gone = task;
    }

    public List<ObjectNode> read() {
      return bytes.toString(StandardCharsets.UTF_8).lines().map(Json::parse).toList();
    }
  }

  public static ObjectNode tree(String json) {
    return Json.parse(json.replace('\'', '"'));
  }

  public static String configMap(String name, String labels) {
    return "{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': '%s', 'labels': %s}}"
        .formatted(name, labels);
  }

  @Override
  public void close() {
    store.close();
    loop.shutdown();
  }
}
