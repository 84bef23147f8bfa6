package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.stint.cluster.DeleteOptions;
import dev.stint.controllers.cronjob.CronJobController;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.PodBuilder;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import dev.stint.simulation.RecordingCluster.Call;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.node.ObjectNode;

/** Jobs that name another controller are left alone, visibly (KEP-4368). */
class DelegatedJobsTest {
  private static final String OTHER = "example.com/other";
  private static final String DELEGATED = "'managedBy':'example.com/other'";
  private static final String COUNTER = "job_controller_jobs_by_external_controller";

  private final Testbed bed = new Testbed();

  private ObjectNode mirrored() {
    ObjectNode patch = Json.object();
    patch
        .putObject("status")
        .put("startTime", "2026-01-01T00:00:00Z")
        .put("active", 1)
        .put("ready", 0)
        .put("failed", 2)
        .putObject("uncountedTerminatedPods");
    return patch;
  }

  @Test
  @Covers({"MB-06", "MB-47", "MB-57"})
  void aStatusThatItsOwnerWroteStaysAsItIs() {
    bed.create("j", DELEGATED + ",'completions':3,'parallelism':3");
    KubeObject written = bed.answer(bed.api.patchStatus(Testbed.job("j"), mirrored()));
    bed.pass(Duration.ofDays(1));
    assertThat(bed.see("j").tree()).isEqualTo(written.tree());
    assertThat(bed.list(Kind.POD)).isEmpty();
    assertThat(bed.calls.sent).isEmpty();
  }

  @Test
  @Covers({"MB-06", "MB-48"})
  void aSuspendedJobGetsNoConditionThatSaysSo() {
    bed.create("j", DELEGATED + ",'suspend':true");
    bed.create("ours", "'suspend':true");
    bed.pass(Duration.ofDays(1));
    assertThat(bed.conditions("ours")).containsExactly("Suspended");
    assertThat(bed.conditions("j")).isEmpty();
  }

  @Test
  @Covers("MB-06")
  void itsFinishedPodsKeepTheirFinalizers() {
    KubeObject job = bed.create("j", DELEGATED);
    KubeObject pod = PodBuilder.of(job, "p").build();
    bed.finish(bed.answer(bed.api.create(pod)), PodPhase.Succeeded, 0);
    bed.pass(Duration.ofDays(1));
    assertThat(bed.views("j")).singleElement().matches(PodView::tracked);
    assertThat(bed.calls.sent).isEmpty();
  }

  @Test
  @Covers("MB-07")
  @ResourceLock("log of JobController")
  void aLineOfTheLogNamesTheControllerThatManagesTheJob() {
    Logger logger = (Logger) LoggerFactory.getLogger(JobController.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Level before = logger.getLevel();
    logger.setLevel(Level.DEBUG);
    logger.addAppender(lines);
    try {
      bed.create("j", DELEGATED);
      bed.create("k", "");
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(before);
    }
    assertThat(lines.list)
        .filteredOn(line -> line.getThreadName().equals(Thread.currentThread().getName()))
        .filteredOn(line -> line.getMessage().equals("Leaving the Job to another controller"))
        .singleElement()
        .satisfies(line ->
            assertThat(line.getKeyValuePairs())
                .extracting(KeyValuePair::toString)
                .contains("controller=\"" + OTHER + "\"", "job=\"default/j\""));
  }

  @Test
  @Covers("MB-08")
  void theyNeverEnterTheQueueAndAJobRecreatedWithoutTheFieldIsTaken() {
    bed.create("j", DELEGATED);
    assertThat(bed.counted("workqueue_adds", "name", "job")).isZero();
    bed.answer(bed.api.delete(Testbed.job("j"), DeleteOptions.now(bed.see("j").uid())));
    bed.create("j", "'completions':1");
    bed.succeed("j", -1);
    assertThat(bed.conditions("j")).contains("Complete");
    assertThat(bed.counted("workqueue_adds", "name", "job")).isPositive();
  }

  @Test
  @Covers({"MB-09", "MB-46", "MB-45", "MB-57"})
  void othersRunBesideThem() {
    bed.create("job-managed", DELEGATED);
    bed.create("job-regular", "'completions':2,'parallelism':2");
    bed.create("job-reserved", "'managedBy':'kubernetes.io/job-controller'");
    assertThat(bed.status("job-regular").active()).isEqualTo(2);
    bed.succeed("job-regular", -1).succeed("job-regular", -1).succeed("job-reserved", -1);
    assertThat(bed.conditions("job-regular")).contains("Complete");
    assertThat(bed.conditions("job-reserved")).contains("Complete");
    assertThat(bed.status("job-managed")).isEqualTo(JobStatus.EMPTY);
  }

  @Test
  @Covers("MB-39")
  void theyCostNoRequestAndMakeOthersNoDearer() {
    assertThat(callsOfARegularJobBeside(50)).isEqualTo(callsOfARegularJobBeside(0));
  }

  private static List<String> callsOfARegularJobBeside(int delegated) {
    Testbed bed = new Testbed();
    int reads = bed.calls.reads;
    for (int i = 0; i < delegated; i++) {
      bed.create("other-" + i, DELEGATED);
    }
    assertThat(bed.calls.sent).isEmpty();
    bed.create("j", "'completions':2,'parallelism':2");
    bed.succeed("j", -1).succeed("j", -1);
    assertThat(bed.conditions("j")).contains("Complete");
    assertThat(bed.calls.sent)
        .filteredOn(call -> !call.ref().kind().equals(Kind.EVENT))
        .extracting(call -> call.ref().name())
        .allMatch(name -> name.startsWith("j"));
    return Stream.concat(
            Stream.of("reads " + (bed.calls.reads - reads)),
            bed.calls.sent.stream().map(Call::verb).map(Enum::name))
        .toList();
  }

  @Test
  @Covers({"MB-35", "MB-36", "MB-53", "MB-54", "MB-55"})
  void theCounterMovesOnceForEachThatIsCreatedAndForNothingElse() {
    bed.create("none", "'suspend':true");
    bed.create("reserved", "'managedBy':'kubernetes.io/job-controller','suspend':true");
    assertThat(bed.counted(COUNTER, "controller_name", Names.BUILT_IN_CONTROLLER)).isZero();
    bed.create("j", DELEGATED);
    assertThat(bed.counted(COUNTER, "controller_name", OTHER)).isEqualTo(1);
    for (String job : List.of("none", "reserved", "j")) {
      bed.change(job, "{'metadata':{'labels':{'a':'b'}}}");
      bed.change(job, "{'spec':{'parallelism':3}}");
    }
    bed.answer(bed.api.patchStatus(Testbed.job("j"), mirrored()));
    bed.settle();
    assertThat(bed.counted(COUNTER, "controller_name", OTHER)).isEqualTo(1);
    assertThat(bed.counted(COUNTER, "controller_name", Names.BUILT_IN_CONTROLLER)).isZero();
    bed.create("k", DELEGATED);
    assertThat(bed.counted(COUNTER, "controller_name", OTHER)).isEqualTo(2);
  }

  @Test
  @Covers("MB-38")
  void theyAddNothingToTheSyncsAndKeepTheirCronJobActive() {
    new CronJobController(
            bed.api, bed.eventLoop(), Metrics.NONE, ZoneOffset.UTC, FeatureGates.DEFAULT)
        .start();
    bed.answer(
        bed.api.create(
            Testbed.object(
                """
                {'apiVersion': 'batch/v1', 'kind': 'CronJob',
                'metadata': {'name': 'hourly', 'namespace': 'default'},
                'spec': {'schedule': '0 * * * *', 'concurrencyPolicy': 'Forbid',
                'jobTemplate': {'spec': {'managedBy': 'example.com/gone',
                'template': {'spec': {'restartPolicy': 'Never',
                'containers': [{'name': 'main', 'image': 'none', 'command': ['w']}]}}}}}}
                """)));
    bed.pass(Duration.ofHours(5));
    assertThat(bed.list(Kind.JOB)).hasSize(1);
    KubeObject hourly = bed.answer(bed.api.get(new ObjectRef(Kind.CRON_JOB, "default", "hourly")));
    assertThat(Json.arrayAt(hourly.status(), "active")).hasSize(1);
    assertThat(bed.syncs()).isZero();
  }

  @Test
  @Covers("MB-43")
  void aTypoInTheNameShowsInTheJobAndTheMetric() {
    bed.create("j", "'managedBy':'kubernetes.io/job-controler'");
    bed.pass(Duration.ofDays(1));
    assertThat(bed.list(Kind.POD)).isEmpty();
    assertThat(Json.text(Objects.requireNonNull(bed.see("j").spec()), "managedBy"))
        .isEqualTo("kubernetes.io/job-controler");
    assertThat(bed.counted(COUNTER, "controller_name", "kubernetes.io/job-controler")).isEqualTo(1);
  }
}
