package dev.stint.bench.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.ApiEndpoint;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No request makes the API fail. {@code bench/attack mutate} sends a million of them over HTTP, and
 * {@code -Dmutations=N} plays N here.
 *
 * <p>It is slow because it takes thousands of requests to meet each mutation of each kind.
 */
class MutatedRequestsTest {
  private static final int REQUESTS = Integer.getInteger("mutations", 8_000);
  private static final long SEED = Long.getLong("mutations.seed", 24);
  private static final ClientIdentity PEER = new ClientIdentity("127.0.0.1", null, null);

  @TempDir private static Path directory;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static ControlPlane plane;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static ApiEndpoint endpoint;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static RequestFilter api;

  private static String token = "";

  @BeforeAll
  static void serve() throws Exception {
    plane = new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT);
    Path keys = directory.resolve("keys");
    endpoint =
        ApiEndpoint.open(
            plane,
            new ApiEndpoint.Preparation(
                keys, InetSocketAddress.createUnresolved("127.0.0.1", 0), InstantSource.system()),
            null,
            null,
            null,
            gate -> {
              api = gate;
              return gate;
            });
    token = Files.readString(keys.resolve("admin.token")).strip();
  }

  @AfterAll
  static void end() {
    endpoint.close();
    plane.close();
  }

  @Test
  void noMutatedRequestMakesTheApiFail() {
    RequestMutator mutator = new RequestMutator(SEED);
    List<String> faults = new ArrayList<>();
    Tally tally = new Tally();
    for (int i = 0; i < REQUESTS; i++) {
      MutatedCall call = mutator.call(i);
      try {
        int code = code(call.call());
        tally.add(call.kind(), code);
        if (code >= 500 && code != 504) {
          faults.add("%d of seed %d: %d for %s".formatted(i, SEED, code, call.call()));
        }
      } catch (RuntimeException | StackOverflowError fault) {
        faults.add("%d of seed %d: %s for %s".formatted(i, SEED, trace(fault), call.call()));
      }
    }
    assertThat(faults.stream().limit(20)).as("%d faults", faults.size()).isEmpty();
    if (Boolean.getBoolean("mutations.show")) {
      System.out.println(tally.table());
    }
    assertThat(tally.share(code -> code < 300)).as(tally.table()).isGreaterThan(0.1);
  }

  private static String trace(Throwable fault) {
    StringBuilder text = new StringBuilder(String.valueOf(fault));
    for (StackTraceElement element : fault.getStackTrace()) {
      if (text.length() < 1_000) {
        text.append("\n    at ").append(element);
      }
    }
    return text.toString();
  }

  private static int code(HttpCall call) {
    try {
      Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      headers.put("Authorization", "Bearer " + token);
      headers.putAll(call.headers());
      ApiResponse reply =
          api.answer(
              Call.anonymous(
                  plane.api().catalogue(),
                  call.method(),
                  decoded(call.path()),
                  query(call),
                  headers::get,
                  call::body),
              PEER);
      return reply.code();
    } catch (ClusterException refusal) {
      return ApiResponse.refused(refusal).code();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static @Nullable String query(HttpCall call) {
    return call.query().isEmpty() ? null : call.query();
  }

  /** Decodes as the server does, which refuses a malformed path before it comes this far. */
  private static String decoded(String path) {
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return "/malformed";
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aSeedGivesTheSameRequestsAgain(long seed) {
    RequestMutator first = new RequestMutator(seed);
    RequestMutator second = new RequestMutator(seed);
    for (int i = 0; i < 100; i++) {
      assertThat(first.call(i).toString()).isEqualTo(second.call(i).toString());
    }
  }
}
