package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import org.junit.jupiter.api.Test;

class ConfigurationChangesTest {
  private static final ObjectRef DEFINITION =
      new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", "d");
  private static final ObjectRef ROLE = new ObjectRef(Kind.ROLE, "ci", "r");

  private final ConfigurationChanges changes = new ConfigurationChanges();

  @Test
  void definitionsAreReadAnewWhileOneIsWritten() {
    long before = changes.definitions();
    assertThat(changes.definitions()).isEqualTo(before);
    changes.onBegin(DEFINITION);
    long during = changes.definitions();
    assertThat(changes.definitions()).isNotEqualTo(during).isNotEqualTo(before);
    changes.onEnd(DEFINITION);
    long after = changes.definitions();
    assertThat(after).isNotEqualTo(before).isNotEqualTo(during);
    assertThat(changes.definitions()).isEqualTo(after);
  }

  @Test
  void otherKindsAreCountedAfterTheirWrites() {
    long definitions = changes.definitions();
    long access = changes.access("ci");
    changes.onBegin(ROLE);
    assertThat(changes.access("ci")).isEqualTo(access);
    changes.onEnd(ROLE);
    assertThat(changes.access("ci")).isNotEqualTo(access);
    assertThat(changes.definitions()).isEqualTo(definitions);
  }

  @Test
  void rolesAreCountedForTheirNamespace() {
    changes.onEnd(ROLE);
    assertThat(changes.access("other")).isZero();
    assertThat(changes.access("")).isZero();
    changes.onEnd(new ObjectRef(Kind.CLUSTER_ROLE_BINDING, "", "b"));
    assertThat(changes.access("")).isOne();
    assertThat(changes.access("ci")).isOne();
  }
}
