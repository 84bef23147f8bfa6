package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Kind;
import org.junit.jupiter.api.Test;

class ConfigurationChangesTest {
  private final ConfigurationChanges changes = new ConfigurationChanges();

  @Test
  void definitionsAreReadAnewWhileOneIsWritten() {
    long before = changes.definitions();
    assertThat(changes.definitions()).isEqualTo(before);
    changes.onBegin(Kind.CUSTOM_RESOURCE_DEFINITION);
    long during = changes.definitions();
    assertThat(changes.definitions()).isNotEqualTo(during).isNotEqualTo(before);
    changes.onEnd(Kind.CUSTOM_RESOURCE_DEFINITION);
    long after = changes.definitions();
    assertThat(after).isNotEqualTo(before).isNotEqualTo(during);
    assertThat(changes.definitions()).isEqualTo(after);
  }

  @Test
  void otherKindsAreCountedAfterTheirWrites() {
    long definitions = changes.definitions();
    long access = changes.access();
    changes.onBegin(Kind.ROLE);
    assertThat(changes.access()).isEqualTo(access);
    changes.onEnd(Kind.ROLE);
    assertThat(changes.access()).isNotEqualTo(access);
    assertThat(changes.definitions()).isEqualTo(definitions);
  }
}
