package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Kind;
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
    assertThat(Route.of(path))
        .isEqualTo(new Route.Objects(group, "v1", namespace, resource, name, sub));
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
  void otherPathsArePlain(String path) {
    assertThat(Route.of(path)).isEqualTo(new Route.Plain(path));
  }

  /** Anybody may send a path as long as a request's head. */
  @Test
  void aPathOfManySlashesIsReadInOneGo() {
    String path = "/a" + "/".repeat(60_000) + "x";
    assertThat(Route.of(path)).isEqualTo(new Route.Plain(path));
  }

  @Test
  void aKindIsServedInItsGroupAndScopeOnly() {
    assertThat(objects("/apis/batch/v1/jobs").kind()).contains(Kind.JOB);
    assertThat(objects("/api/v1/jobs").kind()).isEmpty();
    assertThat(objects("/apis/batch/v2/jobs").kind()).isEmpty();
    assertThat(objects("/api/v1/namespaces/x/nodes").kind()).isEmpty();
    assertThat(objects("/api/v1/events").kind()).contains(Kind.EVENT);
    assertThat(objects("/apis/events.k8s.io/v1/events").kind()).contains(Kind.EVENT);
  }

  private static Route.Objects objects(String path) {
    return (Route.Objects) Route.of(path);
  }
}
