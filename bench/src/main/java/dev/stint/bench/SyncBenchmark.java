package dev.stint.bench;

import dev.stint.engine.Decision;
import dev.stint.engine.EngineOptions;
import dev.stint.engine.JobView;
import dev.stint.engine.Ledger;
import dev.stint.engine.Plan;
import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures a sync of a Job in which ten pods changed, by the number of its indexes. Two in six
 * indexes have succeeded, no two of them adjacent, and the others run. The text of the status is
 * measured separately by {@link #statusText}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = "-Xmx1g")
public class SyncBenchmark {
  private static final int CHANGED = 10;
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Param({"1000", "10000", "100000"})
  int indexes;

  private JobView job = JobView.of(object("{'apiVersion':'batch/v1','kind':'Job'}"));
  private Ledger ledger = new Ledger(rules(job));
  private JobStatus stored = JobStatus.EMPTY;
  private final List<PodView> running = new ArrayList<>();
  private final List<PodView> succeeded = new ArrayList<>();

  @Setup
  public void setUp() {
    job =
        JobView.of(
            object(
                "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','namespace':'d','uid':'u'},"
                    + "'spec':{'completionMode':'Indexed','completions':%1$d,'parallelism':%1$d,'backoffLimit':6,'template':{'spec':{'restartPolicy':'Never'}}}}"
                        .formatted(indexes)));
    ledger = new Ledger(rules(job));
    IndexSet.Builder done = IndexSet.builder();
    int active = 0;
    for (int index = 0; index < indexes; index++) {
      if (index % 2 == 0 && index % 3 != 0) {
        done.add(index);
      } else {
        PodView pod = pod(index, "Running");
        ledger.put(pod);
        active++;
        if (running.size() < CHANGED) {
          running.add(pod);
          succeeded.add(pod(index, "Succeeded"));
        }
      }
    }
    IndexSet completed = done.build();
    stored =
        new JobStatus(
            List.of(),
            NOW,
            null,
            active,
            0,
            0,
            completed.size(),
            0,
            completed,
            null,
            JobStatus.Uncounted.NONE);
  }

  private static Ledger.Rules rules(JobView job) {
    return Ledger.Rules.of(job, FeatureGates.DEFAULT, EngineOptions.DEFAULT.backoff());
  }

  private static PodView pod(int index, String phase) {
    return PodView.of(
        object(
            "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p%1$d','namespace':'d','uid':'p%1$d','resourceVersion':'1','finalizers':['batch.kubernetes.io/job-tracking'],'annotations':{'batch.kubernetes.io/job-completion-index':'%1$d'}},'spec':{'nodeName':'n'},'status':{'phase':'%2$s'}}"
                .formatted(index, phase)));
  }

  private static KubeObject object(String text) {
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }

  /** Marks ten pods as succeeded and decides on the Job; then resets them for the next call. */
  @Benchmark
  public Plan sync() {
    succeeded.forEach(ledger::put);
    Plan plan =
        Decision.decide(
            job, ledger, stored, FeatureGates.DEFAULT, EngineOptions.DEFAULT, NOW.plusSeconds(60));
    running.forEach(ledger::put);
    return plan;
  }

  /** Returns the status in the form in which it is written. */
  @Benchmark
  public String statusText() {
    return stored.write().toString();
  }
}
