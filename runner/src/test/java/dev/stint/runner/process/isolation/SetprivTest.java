package dev.stint.runner.process.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.SecurityContext;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The numbers that a container's processes must have; SecurityTest has the words for setpriv. */
class SetprivTest {
  private static final ProcessIdentity ROOT = new ProcessIdentity(0, 5, Set.of(6L), 0);
  private static final ProcessIdentity USER = new ProcessIdentity(1000, 1000, Set.of(), 0);

  private static String numbers(ProcessIdentity own, String pod) {
    ObjectNode tree = Json.object();
    tree.putObject("spec").set("securityContext", Json.parse(pod));
    return new Setpriv(SecurityContext.of(KubeObject.of(tree), Json.object())).numbers(own);
  }

  @Test
  void theUserTheGroupAndFurtherGroupsAreExpectedAsTheKernelListsThem() {
    assertThat(numbers(ROOT, "{\"runAsUser\": 7, \"runAsGroup\": 8}")).isEqualTo("7 8");
    assertThat(
            numbers(
                ROOT,
                "{\"runAsUser\": 7, \"runAsGroup\": 8, \"supplementalGroups\": [30, 9],"
                    + " \"fsGroup\": 10}"))
        .isEqualTo("7 8 9 10 30");
  }

  @Test
  void whatIsNotAskedForStays() {
    assertThat(numbers(ROOT, "{\"runAsGroup\": 8}")).isEqualTo("0 8");
    assertThat(numbers(ROOT, "{\"fsGroup\": 8}")).isEqualTo("0 5 8");
    assertThat(numbers(ROOT, "{\"runAsUser\": 4000000000}")).isEqualTo("4000000000 0");
  }

  @Test
  void nothingIsExpectedWhereNothingChanges() {
    assertThat(numbers(ROOT, "{}")).isEmpty();
    assertThat(numbers(USER, "{\"runAsUser\": 1000, \"fsGroup\": 1000}")).isEmpty();
  }
}
