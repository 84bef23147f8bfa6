package dev.stint.runner.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.KubeObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LogTreeTest {
  private final LogTree tree = new LogTree(Path.of("/logs"));

  @Test
  void logsOfAPodLieBelowItsJobOrItsOwnName() {
    assertThat(tree.dir(pod("'labels':{'batch.kubernetes.io/job-name':'pi'}")))
        .isEqualTo(Path.of("/logs/team/pi/pi-0"));
    assertThat(tree.dir(pod("'labels':{}"))).isEqualTo(Path.of("/logs/team/pi-0/pi-0"));
  }

  @Test
  void anEmptyJobNameCountsAsNone() {
    assertThat(tree.dir(pod("'labels':{'batch.kubernetes.io/job-name':''}")))
        .isEqualTo(Path.of("/logs/team/pi-0/pi-0"));
  }

  private static KubeObject pod(String metadata) {
    return PodBuilder.named("pi-0").metadata("'namespace':'team'," + metadata).build();
  }
}
