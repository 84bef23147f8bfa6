package dev.stint.apiserver.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupVersionTest {
  private static final GroupVersion BATCH = new GroupVersion("batch", "v1");

  @Test
  void bothComponentsCount() {
    assertThat(new GroupVersion("batch", "v1")).isEqualTo(BATCH).hasSameHashCodeAs(BATCH);
    assertThat(new GroupVersion("batch", "v2")).isNotEqualTo(BATCH);
    assertThat(new GroupVersion("apps", "v1")).isNotEqualTo(BATCH);
  }
}
