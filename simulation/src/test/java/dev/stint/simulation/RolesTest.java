package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The roles of {@code deploy} allow exactly the requests that are made. */
class RolesTest {
  private static final Path DEPLOY = Path.of("../deploy");

  /** The API itself requires this if pods block the deletion of their owner. */
  private static final String BLOCKS_DELETION = "update batch/jobs/finalizers";

  private static List<?> list(@Nullable Object value) {
    return (List<?>) Objects.requireNonNull(value);
  }

  /** Returns what a role allows, one line for each permission. */
  private static TreeSet<String> allowed(String file) throws IOException {
    Object role =
        new Load(LoadSettings.builder().build())
            .loadFromString(Files.readString(DEPLOY.resolve(file)));
    TreeSet<String> allowed = new TreeSet<>();
    for (Object each : list(((Map<?, ?>) role).get("rules"))) {
      Map<?, ?> rule = (Map<?, ?>) each;
      for (Object group : list(rule.get("apiGroups"))) {
        for (Object resource : list(rule.get("resources"))) {
          list(rule.get("verbs")).forEach(v -> allowed.add(v + " " + group + "/" + resource));
        }
      }
    }
    return allowed;
  }

  @Test
  void theJobControllerMayDoWhatItDoes() throws Exception {
    MirrorTestbed bed = new MirrorTestbed(7);
    MirrorTestbed.Side cluster = bed.worker;
    RandomJobs jobs = new RandomJobs(bed.random, RandomOptions.many(new Random(1)));
    SimulatedRuntime.Script script = jobs.script();
    cluster.node((pod, random) ->
        pod.name().startsWith("paused")
            ? new SimulatedRuntime.Outcome(Duration.ofMinutes(1), 0)
            : script.play(pod, random));
    cluster.luckOfJobs =
        creates ->
            creates && bed.random.nextInt(4) == 0
                ? RequestDelivery.ANSWER_LOST
                : RequestDelivery.GOOD;
    for (int i = 0; i < 20; i++) {
      cluster.create(jobs.job("j" + i));
    }
    bed.seconds(20);
    cluster.luckOfJobs = _ -> RequestDelivery.GOOD;
    cluster.create(stray());
    paused(bed);
    adopted(bed);
    for (KubeObject pod : cluster.list(Kind.POD)) {
      // Some are deleted by their Jobs meanwhile.
      bed.answer(cluster.api.delete(pod.ref(), DeleteOptions.now(pod.uid())).handle((_, _) -> pod));
    }
    bed.pass(Duration.ofMinutes(10));
    for (KubeObject job : cluster.list(Kind.JOB)) {
      cluster.delete(job.name(), Propagation.BACKGROUND);
    }
    bed.pass(Duration.ofMinutes(2));

    TreeSet<String> wanted = new TreeSet<>(cluster.ofJobController.accesses);
    wanted.add(BLOCKS_DELETION);
    assertThat(wanted).isEqualTo(allowed("base/cluster-role.yaml"));
  }

  /** A pod of a Job that no longer exists. */
  private static KubeObject stray() {
    return PodBuilder.of(JobBuilder.named("gone").uid("u").build(), "stray").build();
  }

  /** A repeated event is counted in the first one. */
  private static void paused(MirrorTestbed bed) {
    bed.worker.create(MirrorTestbed.job("paused", "'suspend':true"));
    for (int i = 0; i < 4; i++) {
      bed.seconds(3);
      bed.worker.change("paused", "{'spec':{'suspend':" + (i % 2 == 1) + "}}");
    }
    bed.seconds(3);
  }

  /** A Job adopts pods that its selector matches and that have no controller. */
  private static void adopted(MirrorTestbed bed) {
    KubeObject job =
        bed.worker.create(MirrorTestbed.job("adopts", "'parallelism':2,'completions':2"));
    bed.seconds(1);
    for (KubeObject pod : bed.worker.list(Kind.POD)) {
      if (job.uid().equals(pod.controllerUid())) {
        bed.answer(
            bed.worker.api.patch(
                pod.ref(), Json.parse("{\"metadata\":{\"ownerReferences\":null}}")));
      }
    }
    bed.seconds(1);
  }

  @Test
  void theMirrorMayDoWhatItDoes() throws Exception {
    MirrorTestbed bed = MirrorTestbed.running();
    bed.handOver("a", "'suspend':true");
    bed.handOver("b", "");
    bed.handOver("c", "");
    bed.handOver("d", "");
    bed.seconds(5);
    bed.manager.change("a", "{'spec':{'suspend':false}}");
    bed.worker.leave();
    bed.seconds(20);
    bed.worker.comeBack();
    bed.seconds(40);
    bed.manager.delete("b", Propagation.BACKGROUND);
    bed.manager.delete("c", Propagation.ORPHAN);
    bed.worker.delete("a", Propagation.ORPHAN);
    bed.seconds(60);
    bed.worker.leave();
    bed.seconds(20);
    bed.worker.comeBack();
    bed.seconds(40);

    assertThat(bed.manager.ofMirror.accesses).isEqualTo(allowed("mirror/manager-role.yaml"));
    assertThat(bed.worker.ofMirror.accesses).isEqualTo(allowed("mirror/worker-role.yaml"));
  }
}
