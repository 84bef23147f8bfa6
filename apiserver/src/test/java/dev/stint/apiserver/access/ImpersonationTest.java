package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.access.Impersonation.Header;
import dev.stint.apiserver.access.pki.Pki;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImpersonationTest {
  private static final User ADMIN = User.of("admin", Pki.MASTERS, User.AUTHENTICATED);
  private static final User JANE = User.of("jane", User.AUTHENTICATED);

  private final GivenRules rules = GivenRules.bootstrapped();
  private final Authorizer authorizer = new Authorizer(rules);

  @Test
  void withoutItsHeadersARequestIsItsMakersOwn() {
    assertThat(Impersonation.of(Stream.of(new Header("Accept", "*/*")))).isEmpty();
  }

  @Test
  void aUserHasTheGroupsThatAreNamedAndThatOfAllUsers() {
    User user =
        asked("Impersonate-User=bob", "Impersonate-Group=dev", "impersonate-group=ops")
            .by(ADMIN, authorizer);
    assertThat(user)
        .isEqualTo(new User("bob", "", List.of("dev", "ops", User.AUTHENTICATED), Map.of()));
  }

  @Test
  void aServiceAccountHasItsGroups() {
    assertThat(
            asked("Impersonate-User=system:serviceaccount:ci:bot").by(ADMIN, authorizer).groups())
        .containsExactly(
            "system:serviceaccounts", "system:serviceaccounts:ci", "system:authenticated");
  }

  @Test
  void nobodyInParticularStaysUnauthenticated() {
    assertThat(asked("Impersonate-User=system:anonymous").by(ADMIN, authorizer))
        .isEqualTo(User.ANONYMOUS);
  }

  @Test
  void aUidAndExtraArePartOfIt() {
    User user =
        asked(
                "Impersonate-User=bob",
                "Impersonate-Uid=u1",
                "Impersonate-Extra-example.org%2Fscope=a",
                "Impersonate-Extra-Example.org%2Fscope=b")
            .by(ADMIN, authorizer);
    assertThat(user.uid()).isEqualTo("u1");
    assertThat(user.extra()).isEqualTo(Map.of("example.org/scope", List.of("a", "b")));
  }

  @Test
  void whoMayNotIsRefused() {
    assertRefused(JANE, "users", "Impersonate-User=bob");
    assertRefused(JANE, "serviceaccounts", "Impersonate-User=system:serviceaccount:ci:bot");
    assertRefused(JANE, "users", "Impersonate-User=system:serviceaccount:ci:");
    assertRefused(JANE, "users", "Impersonate-User=system:serviceaccount:ci:Bot");
  }

  @Test
  void eachPartMustBeAllowed() {
    rules.put(
        GivenRules.role(
            "",
            "as-bob",
            "[{'apiGroups':[''],'resources':['users'],'resourceNames':['bob'],"
                + "'verbs':['impersonate']}]"));
    rules.put(GivenRules.binding("", "as-bob", "ClusterRole/as-bob", "User/jane"));
    assertThat(asked("Impersonate-User=bob").by(JANE, authorizer).name()).isEqualTo("bob");
    assertRefused(JANE, "users", "Impersonate-User=eve");
    assertRefused(JANE, "groups", "Impersonate-User=bob", "Impersonate-Group=" + Pki.MASTERS);
    assertRefused(JANE, "uids", "Impersonate-User=bob", "Impersonate-Uid=1");
    assertRefused(JANE, "userextras/scope", "Impersonate-User=bob", "Impersonate-Extra-Scope=a");
  }

  /** With the right to each part of a user, impersonation is allowed; without any one, refused. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Impersonate-User=bob | :users:bob",
        "Impersonate-User=system:serviceaccount:ci:bot | :serviceaccounts:bot",
        "Impersonate-User=bob Impersonate-Group=dev Impersonate-Group=ops | :users:bob :groups:dev :groups:ops",
        "Impersonate-User=bob Impersonate-Uid=u1 | :users:bob authentication.k8s.io:uids:u1",
        "Impersonate-User=bob Impersonate-Extra-Scope=a Impersonate-Extra-Scope=b | :users:bob authentication.k8s.io:userextras/scope:a authentication.k8s.io:userextras/scope:b",
      })
  void eachPartNeedsARightOfItsOwn(String headers, String rights) {
    Impersonation wanted = asked(headers.split(" "));
    List<String> all = List.of(rights.split(" "));
    grant(all);
    assertThatCode(() -> wanted.by(JANE, authorizer)).doesNotThrowAnyException();
    for (String one : all) {
      grant(all.stream().filter(other -> !other.equals(one)).toList());
      assertThatThrownBy(() -> wanted.by(JANE, authorizer))
          .as("without " + one)
          .isInstanceOfSatisfying(
              ClusterException.class,
              refusal -> assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN));
    }
  }

  private void grant(List<String> rights) {
    String granted =
        rights.stream()
            .map(right -> right.split(":"))
            .map(parts ->
                "{'apiGroups':['%s'],'resources':['%s'],'resourceNames':['%s'],'verbs':['impersonate']}"
                    .formatted(parts[0], parts[1], parts[2]))
            .collect(Collectors.joining(",", "[", "]"));
    rules.put(GivenRules.role("", "parts", granted));
    rules.put(GivenRules.binding("", "parts", "ClusterRole/parts", "User/jane"));
  }

  @Test
  void whoNamesNoUserIsToldSo() {
    assertThatThrownBy(() -> asked("Impersonate-Group=dev"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("add Impersonate-User");
  }

  private void assertRefused(User real, String resource, String... headers) {
    Impersonation wanted = asked(headers);
    assertThatThrownBy(() -> wanted.by(real, authorizer))
        .isInstanceOfSatisfying(
            ClusterException.class,
            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN))
        .hasMessageContaining("cannot impersonate resource \"" + resource + "\"");
  }

  private static Impersonation asked(String... headers) {
    return Impersonation.of(
            Stream.of(headers)
                .map(header -> header.split("=", 2))
                .map(parts -> new Header(parts[0], parts[1])))
        .orElseThrow();
  }
}
