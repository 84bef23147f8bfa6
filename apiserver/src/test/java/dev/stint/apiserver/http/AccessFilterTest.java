package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.http.router.AccessFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessFilterTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | jobs/a | '' | get | a",
        "GET | jobs | '' | list | ''",
        "GET | jobs | fieldSelector=metadata.name%3Da | list | a",
        "GET | jobs | fieldSelector=metadata.name%3Da&watch=1 | watch | a",
        "GET | jobs | fieldSelector=metadata.name!%3Da | list | ''",
        "GET | jobs | fieldSelector=nope%3Da | list | ''",
        "GET | jobs/a | watch=1 | get | a",
        "GET | jobs/a/exec | '' | get | a",
        "POST | jobs/a/exec | '' | create | a",
        "DELETE | jobs | fieldSelector=metadata.name%3Da | deletecollection | ''",
      })
  void aListOfOneNameIsAskedForByThatName(
      String method, String rest, String query, String verb, String name) {
    String path = "/apis/batch/v1/namespaces/default/" + rest;
    Call call =
        new Call(
            TestCatalogue.BUILT_IN,
            method,
            path,
            QueryParameters.of(query),
            _ -> null,
            () -> new byte[0]);
    RequestAttributes asked = AccessFilter.attributes(call, User.of("jane"));
    assertThat(asked.verb()).isEqualTo(verb);
    assertThat(asked.name()).isEqualTo(name);
  }

  /** Records for whom the server holds a request. */
  private record Identified(List<User> users) implements Call.Body {
    @Override
    public byte[] read() {
      return new byte[0];
    }

    @Override
    public void identify(User user) {
      users.add(user);
    }
  }

  /** Otherwise whoever guesses tokens would take the part of the budgets of somebody known. */
  @Test
  void aRefusedTokenCountsAsSomebodyUnknown() throws Exception {
    try (HttpApi api = new HttpApi()) {
      List<User> users = new ArrayList<>();
      assertThatThrownBy(() -> api.answer(withToken("guess", users))).hasMessage("Unauthorized");
      assertThat(users).containsExactly(User.ANONYMOUS);
      assertThat(api.answer(withToken(HttpApi.TOKEN, users)).code()).isEqualTo(200);
      assertThat(users.getLast().groups()).contains("system:masters");
    }
  }

  private static Call withToken(String token, List<User> users) {
    return Call.anonymous(
        TestCatalogue.BUILT_IN,
        "GET",
        HttpApi.PODS,
        null,
        name -> name.equals("Authorization") ? "Bearer " + token : "",
        new Identified(users));
  }

  @ParameterizedTest
  @CsvSource({
    "namespaces/ci, ci",
    "namespaces/ci/status, ci",
    "namespaces/ci/finalize, ci",
    "namespaces/ci/pods, ci",
    "namespaces, ''",
    "nodes/ci, ''",
  })
  void aNamespaceLiesInItself(String rest, String namespace) {
    Call call =
        Call.anonymous(
            TestCatalogue.BUILT_IN, "GET", "/api/v1/" + rest, null, _ -> null, () -> new byte[0]);
    assertThat(AccessFilter.attributes(call, User.of("jane")).namespace()).isEqualTo(namespace);
  }

  /** Clients read the details unchecked. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /apis/batch/v1/namespaces/default/jobs/j"
            + " | {'name': 'j', 'group': 'batch', 'kind': 'jobs'}",
        "DELETE | /apis/batch/v1/namespaces/default/jobs/j"
            + " | {'name': 'j', 'group': 'batch', 'kind': 'jobs'}",
        "GET | /apis/batch/v1/namespaces/default/jobs/j/status"
            + " | {'name': 'j', 'group': 'batch', 'kind': 'jobs'}",
        "GET | /api/v1/pods | {'kind': 'pods'}",
        "GET | /metrics | {}",
      })
  void aRefusalSaysWhatItIsAbout(String method, String path, String details) {
    try (HttpApi api = new HttpApi()) {
      HttpApi.Answer refused = api.callAs(User.of("jane"), method, path, "", Map.of());
      assertThat(refused.code()).isEqualTo(403);
      assertThat(refused.tree().get("details")).isEqualTo(HttpApi.tree(details));
    }
  }
}
