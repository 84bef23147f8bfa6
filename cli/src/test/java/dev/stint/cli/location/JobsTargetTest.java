package dev.stint.cli.location;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class JobsTargetTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());

  /** Nothing else would ever delete it if no controller works. */
  @Test
  void aDeletedJobTakesItsListWithIt() {
    KubeObject job =
        cluster.add(
            JobBuilder.named("a").podSpec("'volumes':[{'name':'list','configMap':{'name':'l'}}]"));
    cluster.add(
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'l','namespace':'default',"
            + "'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'a','uid':'%s'}]}}"
                .formatted(job.uid()));
    try (JobsTarget target = TestTargets.idle(cluster)) {
      target.delete(job);
    }
    assertThat(cluster.peekAll(Kind.JOB)).isEmpty();
    assertThat(cluster.peekAll(Kind.CONFIG_MAP)).isEmpty();
  }
}
