package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.job.JobCondition;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBucket;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Successful Jobs of all kinds: why they succeed, and how long the controller takes. */
class CompletedJobsTest {
  private final Testbed bed = new Testbed();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'parallelism':2 | CompletionsReached",
        "'completions':3,'parallelism':2 | CompletionsReached",
        "'completions':0 | CompletionsReached",
        "'completionMode':'Indexed','completions':3,'parallelism':2 | CompletionsReached",
        "'completionMode':'Indexed','completions':3,'backoffLimitPerIndex':2 | CompletionsReached",
        "'completions':2,'podReplacementPolicy':'Failed' | CompletionsReached",
        "'completionMode':'Indexed','completions':3,'parallelism':3,"
            + "'successPolicy':{'rules':[{'succeededIndexes':'1'}]} | SuccessPolicy",
        "'completionMode':'Indexed','completions':3,'parallelism':1,"
            + "'successPolicy':{'rules':[{'succeededCount':2}]} | SuccessPolicy",
      })
  @Covers("SP-64")
  void eachTellsWhyItIsComplete(String spec, String reason) {
    bed.node((pod, random) ->
        new Outcome(Duration.ofSeconds(1 + Math.abs(PodView.of(pod).index() - 1)), 0));
    bed.create("j", spec);
    bed.pass(Duration.ofMinutes(5));
    assertThat(bed.conditions("j")).containsExactly("SuccessCriteriaMet", "Complete");
    assertThat(bed.status("j").conditions()).extracting(JobCondition::reason).containsOnly(reason);
  }

  /** 99 of 100 syncs of a day must take at most 15 s; the bucket below that ends at 8 s. */
  @Test
  @Covers("SP-49")
  void overADayAtFiftyRequestsASecondSyncsAreShort() {
    bed.node((pod, random) -> new Outcome(Duration.ofSeconds(random.nextInt(1, 60)), 0));
    bed.calls.requestsPerSecond = 50;
    for (int quarter = 0; quarter < 96; quarter++) {
      int pods = quarter == 48 ? 1000 : 12;
      bed.create(
          "j" + quarter,
          ("'completionMode':'Indexed','completions':%1$d,'parallelism':%1$d,"
                  + "'successPolicy':{'rules':[{'succeededCount':%1$d}]}")
              .formatted(pods));
      bed.pass(Duration.ofMinutes(15));
      assertThat(bed.conditions("j" + quarter)).contains("Complete");
    }
    long all = bed.syncs();
    long within = 0;
    for (ClassicHistogramBucket bucket : buckets()) {
      within += bucket.getUpperBound() < 15 ? bucket.getCount() : 0;
    }
    assertThat(all).isGreaterThan(1000);
    assertThat(100 * within).isGreaterThanOrEqualTo(99 * all);
  }

  private List<ClassicHistogramBucket> buckets() {
    return bed.metrics.scrape().stream()
        .filter(metric ->
            metric
                .getMetadata()
                .getPrometheusName()
                .equals("job_controller_job_sync_duration_seconds"))
        .map(HistogramSnapshot.class::cast)
        .flatMap(histogram -> histogram.getDataPoints().stream())
        .flatMap(point -> point.getClassicBuckets().stream())
        .toList();
  }
}
