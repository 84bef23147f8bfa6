package dev.stint.apiserver.http.router;

import static dev.stint.apiserver.http.HttpApi.CONFIG_MAPS;
import static dev.stint.apiserver.http.HttpApi.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.ApiResource.Subresource;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.http.HttpApi;
import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.harness.PodBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouterTest {
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  private Answer call(String method, String target) {
    return api.call(method, target, "", Map.of());
  }

  @ParameterizedTest
  @CsvSource({
    "HEAD, /api/v1/namespaces/default/pods, 405",
    "HEAD, /api/v1/namespaces/default/pods/p, 405",
    "OPTIONS, /api/v1/namespaces/default/pods, 405",
    "HEAD, /version, 405",
    "POST, /apis/batch/v1, 405",
    "POST, /nothing, 404",
    "GET, /api/v1/namespaces/default/pods/.., 400",
    "GET, /api/v1/namespaces/default/pods/., 400",
    "DELETE, /api/v1/namespaces/default/pods/a%b, 400",
    "GET, /api/v1/namespaces/default//pods, 404",
    "GET, /api/v1/namespaces/default/pods/, 200",
    "GET, /api/v1/namespaces/default/pods?timeout=invalid, 400",
    "GET, /api/v1/namespaces/default/pods?timeout=5, 400",
    "GET, /api/v1/namespaces/default/pods?timeout=1m30.5s, 200",
    "GET, /api/v1/namespaces/default/pods?timeout=0, 200",
    "GET, /api/v1/namespaces/default/pods?limit=-1, 200",
    "GET, /api/v1/namespaces/default/pods?resourceVersion=999, 504",
    "GET, /api/v1/namespaces/default/pods?watch=1&resourceVersion=999&sendInitialEvents=1&resourceVersionMatch=NotOlderThan, 504",
    "GET, /healthz?timeout=x, 400",
    "HEAD, /readyz, 200",
    "GET, /readyz/store, 200",
    "GET, /livez/ping, 200",
    "GET, /livez/nothing, 404",
  })
  void answersWithACode(String method, String target, int code) {
    assertThat(call(method, target).code()).isEqualTo(code);
  }

  /** No subresource is missing in the router, and none has another verb there. */
  @Test
  void everySubresourceIsServedWithTheVerbsOfTheCatalogue() {
    Map<String, String> methods =
        Map.of(
            "GET", "get", "POST", "create", "PUT", "update", "PATCH", "patch", "DELETE", "delete");
    for (ApiResource resource : TestCatalogue.BUILT_IN.all()) {
      String scope = resource.namespaced() ? "/namespaces/default/" : "/";
      String object = "/" + resource.groupVersion().path() + scope + resource.name() + "/default/";
      for (Subresource subresource : resource.subresources()) {
        methods.forEach((method, verb) ->
            assertThat(call(method, object + subresource.name()).code() != 405)
                .as("%s %s%s", method, object, subresource.name())
                .isEqualTo(subresource.verbs().contains(verb)));
      }
      assertThat(call("GET", object + "nothing").code()).isEqualTo(404);
    }
  }

  @Test
  void theVersionOfAnObjectMayNotBeYetToCome() {
    api.post(CONFIG_MAPS, HttpApi.configMap("c", "{}"));
    assertThat(call("GET", CONFIG_MAPS + "/c?resourceVersion=0").code()).isEqualTo(200);
    assertThat(call("GET", CONFIG_MAPS + "/c?resourceVersion=999").code()).isEqualTo(504);
  }

  @Test
  void anObjectIsReadWhereItsPathAsksForAWatch() {
    api.post(CONFIG_MAPS, HttpApi.configMap("c", "{}"));
    assertThat(call("GET", CONFIG_MAPS + "/c?watch=true").at("/kind")).isEqualTo("ConfigMap");
  }

  @Test
  void itemsOfListsDoNotSayWhatTheyAre() {
    api.post(CONFIG_MAPS, HttpApi.configMap("c", "{}"));
    api.post(PODS, PodBuilder.named("p"));
    for (String path : List.of(CONFIG_MAPS, PODS)) {
      for (String accept : List.of("application/json", "application/yaml")) {
        String list = api.get(path, accept).body();
        assertThat(list).contains("List").doesNotContainPattern("kind\"?: ?\"?(Pod|ConfigMap)\\b");
      }
      assertThat(api.get(path).at("/items/0/metadata/resourceVersion")).isNotEmpty();
      assertThat(api.get(path).tree().at("/items/0").has("apiVersion")).isFalse();
    }
  }

  @Test
  void aListOfOneNameHasOnePage() {
    for (String name : List.of("a", "b", "c")) {
      api.post(CONFIG_MAPS, HttpApi.configMap(name, "{}"));
    }
    Answer list = call("GET", CONFIG_MAPS + "?limit=1&fieldSelector=metadata.name%3Da");
    assertThat(list.at("/metadata/continue")).isEmpty();
    assertThat(list.tree().path("items").size()).isEqualTo(1);
  }

  @Test
  void aReviewIsNoTable() {
    String review =
        "{'apiVersion': 'authorization.k8s.io/v1', 'kind': 'SelfSubjectAccessReview', 'spec':"
            + " {'resourceAttributes': {'verb': 'get', 'resource': 'pods'}}}";
    String both = HttpApi.TABLE + ",application/json";
    assertThat(api.call("POST", REVIEWS, review, Map.of("Accept", HttpApi.TABLE)).code())
        .isEqualTo(406);
    assertThat(api.call("POST", REVIEWS, review, Map.of("Accept", both)).at("/status/allowed"))
        .isEqualTo("true");
    assertThat(api.call("POST", REVIEWS, review, Map.of("Accept", "application/yaml")).type())
        .isEqualTo("application/yaml");
  }

  @Test
  void aRefusalComesInTheFormThatIsAskedFor() {
    Answer refused = api.get(PODS + "/p", "application/yaml");
    assertThat(refused.code()).isEqualTo(404);
    assertThat(refused.body()).contains("reason: NotFound");
    assertThat(api.get(PODS + "/p", HttpApi.TABLE).at("/reason")).isEqualTo("NotFound");
    assertThat(api.get(PODS, "text/html").code()).isEqualTo(406);
  }

  @Test
  void healthIsToldByCheck() {
    assertThat(call("GET", "/readyz?verbose").body())
        .isEqualTo("[+]ping ok\n[+]store ok\nreadyz check passed\n");
    assertThat(call("GET", "/readyz?verbose&exclude=store&exclude=x").body())
        .isEqualTo(
            "[+]ping ok\n[+]store excluded: ok\nwarn: some health checks cannot be excluded: no"
                + " matches for \"x\"\nreadyz check passed\n");
  }

  @Test
  void whoComesByPasswordIsNobody() {
    Map<String, String> basic = Map.of("Authorization", "Basic eDp5");
    assertThat(api.call("GET", PODS, "", basic).code()).isEqualTo(403);
    assertThat(api.call("GET", "/livez", "", basic).code()).isEqualTo(200);
  }
}
