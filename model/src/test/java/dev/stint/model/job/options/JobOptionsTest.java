package dev.stint.model.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.index.IndexSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class JobOptionsTest {
  private static ObjectNode plain() {
    ObjectNode job = Json.object().put("apiVersion", "batch/v1").put("kind", "Job");
    job.putObject("metadata").put("name", "j");
    return job;
  }

  private static ObjectNode job(String backoff) {
    ObjectNode job = plain();
    job.withObjectProperty("metadata")
        .putObject("annotations")
        .put(JobOptions.POD_FAILURE_BACKOFF, backoff);
    return job;
  }

  private static String faults(ObjectNode job) {
    FieldErrors faults = new FieldErrors();
    JobOptions.check(FieldPath.root(job), faults);
    return faults.list().toString();
  }

  @Test
  void aJobWithoutAnnotationsAsksForNothing() {
    assertThat(JobOptions.of(KubeObject.of(plain()))).isSameAs(JobOptions.NONE);
    assertThat(faults(plain())).isEqualTo("[]");
  }

  @Test
  void onlyAnIndexedJobStartsIndexByIndex() {
    ObjectNode job = plain();
    job.withObjectProperty("metadata")
        .putObject("annotations")
        .put("stint.dev/after", "shards=index");
    ObjectNode indexed = job.deepCopy();
    assertThat(JobOptions.of(KubeObject.of(job)).startable()).isNull();
    assertThat(faults(job))
        .contains("metadata.annotations[stint.dev/after]")
        .contains("needs completionMode Indexed for =index");
    indexed.putObject("spec").put("completionMode", "Indexed");
    assertThat(faults(indexed)).isEqualTo("[]");
    assertThat(JobOptions.of(KubeObject.of(indexed)).startable()).isEqualTo(IndexSet.EMPTY);
  }

  @ParameterizedTest
  @CsvSource({
    "kubernetes.io/job-controller, true",
    "stint.dev/job-controller, true",
    "example.com/another, false"
  })
  void anotherControllerFollowsNoOptions(String manager, boolean follows) {
    ObjectNode job = job("1s, max 1m");
    job.putObject("spec").put("managedBy", manager);
    KubeObject managed = KubeObject.of(job);
    assertThat(JobOptions.inForce(managed))
        .isEqualTo(follows ? JobOptions.of(managed) : JobOptions.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1s, max 1m; PT1S; PT1M",
        "500ms,max 1.5s; PT0.5S; PT1.5S",
        "' 2m , max  24h '; PT2M; PT24H",
        "10s, max 10s; PT10S; PT10S"
      })
  void aDelayHasAMaximum(String text, Duration base, Duration max) {
    JobOptions options = JobOptions.of(KubeObject.of(job(text)));
    assertThat(options.podFailureBackoff()).isEqualTo(new ExponentialBackoff(base, max));
    assertThat(options.complaints()).isEmpty();
    assertThat(faults(job(text))).isEqualTo("[]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1s", "1s, 1m", "1, max 5", "1s, max 1m, max 2m", "s, max m"})
  void anotherFormIsAFault(String text) {
    assertThat(JobOptions.of(KubeObject.of(job(text))).podFailureBackoff()).isNull();
    assertThat(faults(job(text)))
        .contains("metadata.annotations[stint.dev/pod-failure-backoff]")
        .contains("needs a delay and a maximum, such as \"1s, max 1m\"");
  }

  private static ObjectNode asking(String name, String value) {
    ObjectNode job = plain();
    job.withObjectProperty("metadata").putObject("annotations").put(name, value);
    return job;
  }

  @ParameterizedTest
  @CsvSource({"1s, PT1S", "5m, PT5M", "' 1h30m ', PT1H30M", "24h, PT24H"})
  void aPodHasATimeToStart(String text, Duration limit) {
    ObjectNode job = asking(JobOptions.STARTUP_DEADLINE, text);
    assertThat(JobOptions.of(KubeObject.of(job)).startupDeadline()).isEqualTo(limit);
    assertThat(faults(job)).isEqualTo("[]");
  }

  @ParameterizedTest
  @CsvSource({"failed, true, 1000", "none, false, 0", "' 1', false, 1", "1000, false, 1000"})
  void aJobKeepsSomeOfItsPods(String text, boolean onlyFailed, int most) {
    ObjectNode job = asking(JobOptions.KEEP_PODS, text);
    assertThat(JobOptions.of(KubeObject.of(job)).keepPods())
        .isEqualTo(new KeptPods(onlyFailed, most));
    assertThat(faults(job)).isEqualTo("[]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "all", "0", "01", "-1", "1001", "1.5"})
  void thePodsToKeepHaveAFormAndABound(String text) {
    ObjectNode job = asking(JobOptions.KEEP_PODS, text);
    assertThat(JobOptions.of(KubeObject.of(job)).keepPods()).isNull();
    assertThat(faults(job))
        .contains("metadata.annotations[stint.dev/keep-pods]")
        .contains("needs failed, none or a number from 1 up to 1000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "0s", "999ms", "25h", "-1m", "5m, max 10m"})
  void theTimeToStartHasAFormAndBounds(String text) {
    ObjectNode job = asking(JobOptions.STARTUP_DEADLINE, text);
    assertThat(JobOptions.of(KubeObject.of(job)).startupDeadline()).isNull();
    assertThat(faults(job))
        .contains("metadata.annotations[stint.dev/startup-deadline]")
        .contains("needs a duration from 1s up to 24h, such as \"5m\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0s, max 1m",
        "-1s, max 1m",
        "2m, max 1m",
        "1s, max 25h",
        "2000000h, max 2000001h"
      })
  void delaysHaveBounds(String text) {
    assertThat(JobOptions.of(KubeObject.of(job(text))).podFailureBackoff()).isNull();
    assertThat(faults(job(text)))
        .contains("needs a delay above 0s and a maximum from that delay up to 24h");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "x1.5, max 16Gi; 150; 17179869184",
        "' x2,max  2M '; 200; 2000000",
        "x10, max 1Mi; 1000; 1048576"
      })
  void memoryGrowsAfterOomKilled(String text, int hundredths, long max) {
    ObjectNode job = asking(JobOptions.MEMORY_ON_OOM, text);
    assertThat(JobOptions.of(KubeObject.of(job)).memoryOnOom())
        .isEqualTo(new MemoryGrowth(hundredths, max));
    assertThat(faults(job)).isEqualTo("[]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "x2; needs a factor and a maximum, such as \"x1.5, max 16Gi\"",
        "2, max 1Gi; needs a factor and a maximum",
        "x2, max a lot; needs a factor and a maximum",
        "x2, max 1500m; needs a factor and a maximum",
        "x1, max 1Gi; needs a factor above 1 up to 10",
        "x10.5, max 1Gi; needs a factor above 1 up to 10",
        "x2, max 1023Ki; and a maximum from 1Mi up to 1Pi",
        "x2, max 2Pi; and a maximum from 1Mi up to 1Pi"
      })
  void theGrowthOfMemoryHasAFormAndBounds(String text, String complaint) {
    ObjectNode job = asking(JobOptions.MEMORY_ON_OOM, text);
    assertThat(JobOptions.of(KubeObject.of(job)).memoryOnOom()).isNull();
    assertThat(faults(job))
        .contains("metadata.annotations[stint.dev/memory-on-oom]")
        .contains(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"restartPolicy\":\"OnFailure\"}; needs restartPolicy Never",
        "{\"resources\":{\"limits\":{\"memory\":\"1Gi\"}}}; does not apply to memory of the whole pod"
      })
  void memoryGrowsInNewPodsOnly(String podSpec, String complaint) {
    ObjectNode job = asking(JobOptions.MEMORY_ON_OOM, "x2, max 1Gi");
    job.putObject("spec").putObject("template").set("spec", Json.parse(podSpec));
    assertThat(JobOptions.of(KubeObject.of(job)).memoryOnOom()).isNull();
    assertThat(faults(job)).contains(complaint);
  }

  @ParameterizedTest
  @CsvSource({"true, true", "false, false"})
  void anEvictedPodMayHaveFailed(String text, boolean failed) {
    ObjectNode job = asking(JobOptions.EVICTED_IS_NOT_DONE, text);
    assertThat(JobOptions.of(KubeObject.of(job)).evictedIsNotDone()).isEqualTo(failed);
    assertThat(faults(job)).isEqualTo("[]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yes", "True", "1"})
  void switchesAreTrueOrFalse(String text) {
    ObjectNode job = asking(JobOptions.EVICTED_IS_NOT_DONE, text);
    assertThat(JobOptions.of(KubeObject.of(job)).evictedIsNotDone()).isFalse();
    assertThat(faults(job)).contains("needs \"true\" or \"false\"");
  }
}
