package dev.stint.conformance.answers;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.access.AccessReviews;
import dev.stint.apiserver.access.Authenticator;
import dev.stint.apiserver.access.Authorizer;
import dev.stint.apiserver.access.ObjectUids;
import dev.stint.apiserver.access.ServiceAccountTokens;
import dev.stint.apiserver.access.TokenRequests;
import dev.stint.apiserver.audit.Auditor;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.handler.HealthHandler;
import dev.stint.apiserver.http.router.AccessFilter;
import dev.stint.apiserver.http.router.Router;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.StatusObjects;
import dev.stint.embedded.Bootstrap;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.store.Store;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.security.KeyPairGenerator;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** An API server in this process, without a port, controllers or a runner. */
final class InProcessApi implements AutoCloseable {
  private static final String TOKEN = "admin";
  private static final String BEARER = "Bearer " + TOKEN;
  private static final ClientIdentity PEER = new ClientIdentity("127.0.0.1", null, null);

  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final Store store;
  private final ApiServer api;
  private final RequestFilter gate;

  InProcessApi() throws Exception {
    InstantSource clock = InstantSource.system();
    store = Store.open(new SimulatedEngine(), loop, StoreOptions.defaults());
    api =
        new ApiServer(
            store,
            loop,
            clock,
            new SplittableRandom(22),
            FeatureGates.DEFAULT,
            ApiServer.Options.defaults().withNamespacesThatExist().withPrivilegedContainers(false));
    new Bootstrap(api).run().get(1, TimeUnit.MINUTES);
    ObjectUids uids = object -> api.registry().uid(object);
    ServiceAccountTokens tokens =
        new ServiceAccountTokens(KeyPairGenerator.getInstance("EC").generateKeyPair(), uids, clock);
    Authenticator authenticator = new Authenticator(TOKEN, tokens, clock);
    Authorizer authorizer = new Authorizer(api.rules());
    Router router =
        new Router(
            api,
            clock,
            clock,
            new HealthHandler(Map.of()),
            new AccessReviews(authenticator, authorizer),
            new TokenRequests(tokens, uids),
            null);
    gate = new AccessFilter(authenticator, authorizer, router, Auditor.NONE);
  }

  /**
   * An answer.
   *
   * @param tree its body; null if that is not a JSON object
   * @param warnings the texts of its Warning headers, sorted
   */
  record Answered(int code, @Nullable ObjectNode tree, List<String> warnings) {}

  /**
   * Answers one request of an administrator.
   *
   * @param target the path and the query
   */
  Answered call(String method, String target, byte[] body, String contentType) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    String query = mark < 0 ? null : target.substring(mark + 1);
    try {
      return answered(
          gate.answer(
              Call.anonymous(
                  api.catalogue(),
                  method,
                  path,
                  query,
                  name -> header(name, contentType),
                  () -> body),
              PEER));
    } catch (ClusterException refusal) {
      return new Answered(refusal.reason().code(), StatusObjects.of(refusal), List.of());
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static @Nullable String header(String name, String contentType) {
    return switch (name) {
      case "Authorization" -> BEARER;
      case "Content-Type" -> contentType;
      case "Accept" -> ApiResponse.JSON;
      default -> null;
    };
  }

  private static Answered answered(ApiResponse reply) {
    ApiResponse.Whole whole = (ApiResponse.Whole) reply;
    List<String> warnings =
        whole.headers().stream()
            .filter(header -> header.name().equals("Warning"))
            .map(header -> warning(header.value()))
            .sorted()
            .toList();
    try {
      return new Answered(whole.code(), Json.parse(whole.body()), warnings);
    } catch (JacksonException noJson) {
      return new Answered(whole.code(), null, warnings);
    }
  }

  /** Returns the text of {@code 299 - "text"}. */
  private static String warning(String header) {
    String quoted = header.split(" ", 3)[2].strip();
    return quoted.startsWith("\"")
        ? quoted.substring(1, quoted.length() - 1).replaceAll("\\\\(.)", "$1")
        : quoted;
  }

  @Override
  public void close() {
    store.close();
    loop.shutdown();
  }
}
