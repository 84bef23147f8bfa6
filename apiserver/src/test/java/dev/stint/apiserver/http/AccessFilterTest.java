package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.http.router.AccessFilter;
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
    Call call = new Call(method, path, QueryParameters.of(query), _ -> null, () -> new byte[0]);
    RequestAttributes asked = AccessFilter.attributes(call, User.of("jane"));
    assertThat(asked.verb()).isEqualTo(verb);
    assertThat(asked.name()).isEqualTo(name);
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
    Call call = Call.anonymous("GET", "/api/v1/" + rest, null, _ -> null, () -> new byte[0]);
    assertThat(AccessFilter.attributes(call, User.of("jane")).namespace()).isEqualTo(namespace);
  }
}
