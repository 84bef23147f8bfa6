package dev.stint.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InformerHeapTest {
  private static final int PODS = 20_000;

  @Test
  void aPodOfAnotherClusterTakesLessThanOneAndAHalfKilobytes() throws Exception {
    assertThat(InformerHeap.perPod(PODS)).isBetween(200L, 1536L);
  }
}
