package dev.stint.controllers.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.harness.PodsOfNewerApi;
import org.junit.jupiter.api.Test;

class CollectablePodTest {
  /** The whole document would be refused. */
  @Test
  void onlyPartsOfAPodAreRead() {
    CollectablePod pod = CollectablePod.of(ProtobufDocument.object(PodsOfNewerApi.message(), true));
    assertThat(pod.ref().name()).isEqualTo(PodsOfNewerApi.NAME);
    assertThat(pod.node()).isEqualTo("n1");
    assertThat(pod.finished()).isFalse();
  }
}
