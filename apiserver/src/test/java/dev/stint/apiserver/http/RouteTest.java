package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.model.Kind;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {
  @ParameterizedTest
  @CsvSource({
    "/api/v1/pods, '', '', pods, '', ''",
    "/api/v1/namespaces, '', '', namespaces, '', ''",
    "/api/v1/namespaces/x, '', '', namespaces, x, ''",
    "/api/v1/namespaces/x/status, '', '', namespaces, x, status",
    "/api/v1/namespaces/x/finalize, '', '', namespaces, x, finalize",
    "/api/v1/namespaces/x/pods, '', x, pods, '', ''",
    "/api/v1/namespaces/x/pods/p/log, '', x, pods, p, log",
    "/apis/batch/v1/jobs, batch, '', jobs, '', ''",
    "/apis/batch/v1/namespaces/x/jobs/j, batch, x, jobs, j, ''",
    "/apis/batch/v1/namespaces/x/jobs/j/status, batch, x, jobs, j, status",
    "/apis/batch/v1/namespaces/x/jobs/, batch, x, jobs, '', ''",
  })
  void aPathNamesObjects(
      String path, String group, String namespace, String resource, String name, String sub) {
    String verb = name.isEmpty() ? "list" : "get";
    assertThat(route("GET", path))
        .isEqualTo(
            new Route.Resource(
                verb,
                group,
                "v1",
                namespace,
                resource,
                name,
                sub,
                TestCatalogue.BUILT_IN.find(group, "v1", resource)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/api",
        "/api/v1",
        "/apis",
        "/apis/batch",
        "/apis/batch/v1",
        "/readyz/ping",
        "/api/v1/namespaces/x/pods/p/log/more",
        "//",
        "//api/v1/pods",
        "/api//v1/pods",
        "/api/v1/namespaces//pods"
      })
  void otherPathsNameNoResource(String path) {
    assertThat(route("POST", path))
        .isInstanceOfSatisfying(
            Route.NonResource.class,
            other -> {
              assertThat(other.verb()).isEqualTo("post");
              assertThat(other.path()).isEqualTo(path);
              assertThat("/" + String.join("/", other.segments())).isEqualTo(path);
            });
  }

  /** Any client may send a path as long as the head of a request. */
  @Test
  void aPathOfManySlashesIsParsedInLinearTime() {
    String path = "/a" + "/".repeat(60_000) + "x";
    assertThat(route("GET", path)).isInstanceOf(Route.NonResource.class);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /api/v1/pods, '', list",
    "HEAD, /api/v1/pods, '', list",
    "GET, /api/v1/pods, watch=1, watch",
    "GET, /api/v1/pods, watch=false, list",
    "GET, /api/v1/namespaces/x/pods/p, '', get",
    "GET, /api/v1/namespaces/x/pods/p, watch=1, get",
    "POST, /api/v1/namespaces/x/pods, '', create",
    "PUT, /api/v1/namespaces/x/pods/p, '', update",
    "PATCH, /api/v1/namespaces/x/pods/p, '', patch",
    "DELETE, /api/v1/namespaces/x/pods/p, '', delete",
    "DELETE, /api/v1/namespaces/x/pods, '', deletecollection",
    "TRACE, /api/v1/namespaces/x/pods, '', trace",
  })
  void methodAndTargetMakeTheVerb(String method, String path, String query, String verb) {
    assertThat(Route.of(TestCatalogue.BUILT_IN, method, path, QueryParameters.of(query)).verb())
        .isEqualTo(verb);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/namespaces/x/pods/p, '', false, false",
    "/api/v1/namespaces/x/pods, watch=1, true, false",
    "/api/v1/namespaces/x/pods/p/log, '', true, false",
    "/api/v1/namespaces/x/pods/p/exec, '', true, true",
    "/api/v1/namespaces/x/pods/p/attach, '', true, true",
    "/api/v1/namespaces/x/pods/p/status, '', false, false",
    "/apis/batch/v1/namespaces/x/jobs/j/exec, '', false, false",
    "/readyz, watch=1, false, false",
  })
  void theCatalogueSaysWhichRequestsLast(
      String path, String query, boolean longRunning, boolean entersContainer) {
    Route route = Route.of(TestCatalogue.BUILT_IN, "GET", path, QueryParameters.of(query));
    assertThat(route.isLongRunning()).isEqualTo(longRunning);
    assertThat(route.entersContainer()).isEqualTo(entersContainer);
  }

  @Test
  void aResourceIsServedInItsGroupAndScopeOnly() {
    assertThat(served("/apis/batch/v1/jobs")).map(ApiResource::stored).contains(Kind.JOB);
    assertThat(served("/api/v1/jobs")).isEmpty();
    assertThat(served("/apis/batch/v2/jobs")).isEmpty();
    assertThat(served("/api/v1/namespaces/x/nodes")).isEmpty();
    assertThat(served("/api/v1/events")).map(ApiResource::stored).contains(Kind.EVENT);
    assertThat(served("/apis/events.k8s.io/v1/events"))
        .map(ApiResource::stored)
        .contains(Kind.EVENT);
  }

  private static Optional<ApiResource> served(String path) {
    return ((Route.Resource) route("GET", path)).served();
  }

  private static Route route(String method, String path) {
    return Route.of(TestCatalogue.BUILT_IN, method, path, QueryParameters.of(null));
  }
}
