package dev.stint.controllers.after;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.after.AfterProgress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AfterControllerTest {
  private final TestWorld world = new TestWorld();
  private AfterController controller = fresh();

  private AfterController fresh() {
    return new AfterController(
        world.api, world.eventLoop, Metrics.NONE, JobControllerOptions.DEFAULT);
  }

  private void start() {
    controller.start();
    world.settle();
  }

  private void restart() {
    controller.close();
    controller = fresh();
    start();
  }

  private void add(String name) {
    world.add(TestWorld.job(name), "", "'spec': {}");
    world.settle();
  }

  private void addAfter(String name, String after, String spec) {
    world.add(
        TestWorld.job(name),
        "'annotations': {'stint.dev/after': '%s'}, 'creationTimestamp': '%s'"
            .formatted(after, world.now()),
        "'spec': {'suspend': true%s}".formatted(spec.isEmpty() ? "" : ", " + spec));
    world.settle();
  }

  private void addAfter(String name, String after) {
    addAfter(name, after, "");
  }

  private void addIndexed(String name, String after) {
    addAfter(name, after, "'completionMode': 'Indexed', 'completions': 4");
  }

  private void end(String name, String type) {
    world.api.change(
        TestWorld.job(name),
        "{'status': {'conditions': [{'type': '%s', 'status': 'True'}]}}".formatted(type));
    world.settle();
  }

  private void complete(String name, String indexes) {
    world.api.change(
        TestWorld.job(name), "{'status': {'completedIndexes': '%s'}}".formatted(indexes));
    world.settle();
  }

  private KubeObject job(String name) {
    return world.see(TestWorld.job(name));
  }

  private boolean isSuspended(String name) {
    return Boolean.TRUE.equals(Json.bool(job(name).spec(), "suspend"));
  }

  private JobStatus status(String name) {
    return JobStatus.read(job(name).status());
  }

  private String failure(String name) {
    return status(name)
        .condition("FailureTarget")
        .map(failure -> failure.reason() + ": " + failure.message())
        .orElse("");
  }

  private List<String> events() {
    return world.api.peekAll(Kind.EVENT).stream()
        .map(event -> Json.text(event.tree(), "reason") + ": " + Json.text(event.tree(), "message"))
        .toList();
  }

  @Test
  void aJobStartsOnceItsPredecessorIsComplete() {
    add("extract");
    addAfter("load", "extract");
    start();
    assertThat(isSuspended("load")).isTrue();
    end("extract", "SuccessCriteriaMet");
    assertThat(isSuspended("load")).isTrue();
    end("extract", "Complete");
    assertThat(isSuspended("load")).isFalse();
    assertThat(events()).containsExactly("DependenciesMet: Started after extract");
  }

  @Test
  void theOrderInWhichJobsAreCreatedIsFree() {
    start();
    addAfter("load", "extract");
    add("extract");
    end("extract", "Complete");
    assertThat(isSuspended("load")).isFalse();
    assertThat(events()).doesNotContain("DependencyMissing");
  }

  @ParameterizedTest
  @CsvSource({"extract, true", "extract=Complete, true", "extract=Finished, false"})
  void aFailedPredecessorFailsWhoWaitsForItsSuccess(String after, boolean fails) {
    add("extract");
    addAfter("load", after);
    start();
    end("extract", "Failed");
    assertThat(isSuspended("load")).isEqualTo(fails);
    assertThat(failure("load")).isEqualTo(fails ? "DependencyFailed: Job extract has failed" : "");
    assertThat(status("load").startTime() != null).as("a failed Job has one").isEqualTo(fails);
  }

  @Test
  void aFailureIsPassedOn() {
    add("a");
    addAfter("b", "a");
    addAfter("c", "b");
    start();
    end("a", "Failed");
    assertThat(failure("b")).isEqualTo("DependencyFailed: Job a has failed");
    assertThat(failure("c")).as("until b has failed").isEmpty();
    end("b", "Failed");
    assertThat(failure("c")).isEqualTo("DependencyFailed: Job b has failed");
  }

  @Test
  void predecessorsMayBeDeletedOnceTheyAreDone() {
    add("a");
    add("b");
    addAfter("c", "a, b");
    start();
    end("a", "Complete");
    assertThat(job("c").annotation(AfterProgress.MET)).isEqualTo("a");
    world.api.erase(TestWorld.job("a"));
    world.settle();
    restart();
    assertThat(isSuspended("c")).isTrue();
    end("b", "Complete");
    assertThat(isSuspended("c")).isFalse();
  }

  @Test
  void whoSuspendsAStartedJobResumesIt() {
    add("a");
    addAfter("b", "a");
    start();
    end("a", "Complete");
    world.api.change(TestWorld.job("b"), "{'spec': {'suspend': true}}");
    world.settle();
    restart();
    assertThat(isSuspended("b")).isTrue();
  }

  @Test
  void aNewJobOfTheNameIsWaitedForAnew() {
    add("a");
    start();
    end("a", "Complete");
    world.api.erase(TestWorld.job("a"));
    add("a");
    addAfter("b", "a");
    assertThat(isSuspended("b")).isTrue();
  }

  @Test
  void indexesStartAsThoseOfThePredecessorComplete() {
    add("shards");
    addIndexed("merge", "shards=index");
    start();
    assertThat(isSuspended("merge")).isTrue();
    complete("shards", "2");
    assertThat(isSuspended("merge")).isFalse();
    assertThat(job("merge").annotation(AfterProgress.READY)).isEqualTo("2");
    complete("shards", "0,2");
    assertThat(job("merge").annotation(AfterProgress.READY)).isEqualTo("0,2");
    complete("merge", "2");
    int requests = world.api.requests.size();
    restart();
    assertThat(world.api.requests).as("nothing has changed").hasSize(requests);
    complete("shards", "0-3");
    assertThat(job("merge").annotation(AfterProgress.READY)).isEqualTo("0,1,3");
    assertThat(job("merge").annotation(AfterProgress.MET)).isEqualTo("shards");
    end("shards", "Complete");
    assertThat(job("merge").annotation(AfterProgress.READY)).isEqualTo("0,1,3");
  }

  /** A success policy, for example, completes a Job without some of its indexes. */
  @Test
  void indexesThatACompletePredecessorLacksDoNotStart() {
    add("shards");
    addIndexed("merge", "shards=index");
    start();
    complete("shards", "0,2");
    end("shards", "Complete");
    assertThat(job("merge").annotation(AfterProgress.READY)).isEqualTo("0,2");
    complete("merge", "0");
    assertThat(failure("merge")).as("index 2 still runs").isEmpty();
    complete("merge", "0,2");
    assertThat(failure("merge"))
        .isEqualTo("DependencyFailed: Job shards is Complete without all indexes of this Job");
  }

  @Test
  void aJobThatGrowsWaitsForItsNewIndexes() {
    add("shards");
    addIndexed("merge", "shards=index");
    start();
    complete("shards", "0-3");
    world.api.change(TestWorld.job("merge"), "{'spec': {'completions': 6}}");
    world.settle();
    complete("shards", "0-4");
    assertThat(job("merge").annotation(AfterProgress.READY)).isEqualTo("0-4");
    assertThat(job("merge").annotation(AfterProgress.MET)).isEmpty();
  }

  @Test
  void aJobThatHasAllItsIndexesDoesNotFail() {
    add("shards");
    addIndexed("merge", "shards=index");
    start();
    complete("shards", "0,2");
    complete("merge", "0-3");
    end("shards", "Failed");
    assertThat(failure("merge")).isEmpty();
  }

  @Test
  void aJobWithoutIndexesDoesNotStartByIndex() {
    add("shards");
    addAfter("merge", "shards=index", "'completions': 4");
    start();
    complete("shards", "0-3");
    end("shards", "Complete");
    assertThat(isSuspended("merge")).isTrue();
    assertThat(events())
        .containsExactly(
            "DependencyUnsupported: Only a Job with completionMode Indexed starts index by index");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shards", "shards=index"})
  void aPredecessorMayBeDeletedAsSoonAsItEnds(String after) {
    add("shards");
    addIndexed("merge", after);
    world.api.before(
        Fault.refusing("patch jobs", new ClusterException(Reason.UNAVAILABLE, "not now")));
    start();
    world.api.change(
        TestWorld.job("shards"),
        "{'status': {'completedIndexes': '0-3',"
            + " 'conditions': [{'type': 'Complete', 'status': 'True'}]}}");
    world.settle();
    world.api.erase(TestWorld.job("shards"));
    world.pass(Duration.ofMinutes(1));
    assertThat(isSuspended("merge")).isFalse();
    assertThat(events()).containsExactly("DependenciesMet: Started after shards");
  }

  @Test
  void jobsStaySuspendedUntilTheyMayBePatched() {
    world.api.before(Fault.refusing("patch jobs", new ClusterException(Reason.FORBIDDEN, "no")));
    add("a");
    addAfter("b", "a");
    start();
    end("a", "Complete");
    world.pass(Duration.ofMinutes(1));
    assertThat(isSuspended("b")).isTrue();
    assertThat(events())
        .containsExactly(
            "DependencyForbidden: The controller may not patch Jobs, which starts them after"
                + " others");
    world.pass(Duration.ofMinutes(10));
    assertThat(isSuspended("b")).as("the right was granted").isFalse();
  }

  @Test
  void aMalformedAnnotationIsToldIfTheJobsControllerDoesNot() {
    start();
    addAfter("ours", "a b");
    addAfter("other", "a b", "'managedBy': 'example.com/other'");
    world.api.change(TestWorld.job("other"), "{'metadata': {'labels': {'a': 'b'}}}");
    world.settle();
    assertThat(events())
        .singleElement()
        .asString()
        .startsWith("InvalidAnnotation: stint.dev/after is ignored: it needs names of Jobs");
  }

  @Test
  void aDeletedJobLeavesNothingBehind() {
    start();
    for (int times = 1; times <= 2; times++) {
      world.add(
          TestWorld.job("b"),
          "'uid': 'same', 'annotations': {'stint.dev/after': 'a b'}",
          "'spec': {'suspend': true, 'managedBy': 'example.com/other'}");
      world.settle();
      assertThat(events()).as("events that are no repetitions").hasSize(times);
      world.api.erase(TestWorld.job("b"));
      world.settle();
    }
  }

  @Test
  void aJobByIndexWaitsForWholeJobsFirst() {
    add("shards");
    add("setup");
    addIndexed("merge", "setup, shards=index");
    start();
    complete("shards", "0-1");
    assertThat(isSuspended("merge")).isTrue();
    end("setup", "Complete");
    assertThat(isSuspended("merge")).isFalse();
    assertThat(job("merge").annotation(AfterProgress.READY)).isEqualTo("0,1");
  }

  @Test
  void whatIsReadyRunsBeforeAJobByIndexFails() {
    add("shards");
    addIndexed("merge", "shards=index");
    start();
    complete("shards", "0,2");
    world.api.change(
        TestWorld.job("shards"),
        "{'status': {'conditions': [{'type': 'Failed', 'status': 'True'}]}}");
    world.settle();
    assertThat(failure("merge")).isEmpty();
    complete("merge", "0,2");
    assertThat(failure("merge")).isEqualTo("DependencyFailed: Job shards has failed");
  }

  private void erase(String name) {
    world.api.erase(TestWorld.job(name));
    world.settle();
  }

  /** Such as a Job with a TTL, while indexes of the next one run for long. */
  @Test
  void howAPredecessorByIndexEndedIsKnownAfterARestart() {
    add("shards");
    addIndexed("merge", "shards=index");
    start();
    complete("shards", "0,2");
    end("shards", "Failed");
    erase("shards");
    restart();
    assertThat(failure("merge")).as("two indexes still run").isEmpty();
    complete("merge", "0,2");
    assertThat(failure("merge")).isEqualTo("DependencyFailed: Job shards has failed");
  }

  @Test
  void theIndexesOfAPredecessorThatIsGoneAreKnownAfterARestart() {
    add("setup");
    add("shards");
    add("parts");
    addIndexed("merge", "setup, shards=index, parts=index");
    start();
    complete("shards", "0,2");
    end("shards", "Complete");
    erase("shards");
    restart();
    complete("parts", "1-2");
    end("setup", "Complete");
    assertThat(isSuspended("merge")).isFalse();
    assertThat(job("merge").annotation(AfterProgress.READY)).isEqualTo("2");
    complete("parts", "0-3");
    assertThat(job("merge").annotation(AfterProgress.READY)).isEqualTo("0,2");
    erase("parts");
    restart();
    world.pass(Duration.ofMinutes(1));
    complete("merge", "0,2");
    assertThat(failure("merge"))
        .isEqualTo("DependencyFailed: Job shards is Complete without all indexes of this Job");
    assertThat(events()).containsExactly("DependenciesMet: Started after setup, shards, parts");
  }

  private static String everySecondIndex(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> String.valueOf(2 * i))
        .collect(Collectors.joining(","));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void asManyIndexesAreRecordedAsFit(int more) {
    int fitting = 9259;
    assertThat(everySecondIndex(fitting).length())
        .isBetween(AfterPlan.LONGEST_ENDS - 5, AfterPlan.LONGEST_ENDS);
    add("shards");
    addAfter("merge", "shards=index", "'completionMode': 'Indexed', 'completions': 90000");
    start();
    complete("shards", everySecondIndex(fitting + more));
    end("shards", "Failed");
    assertThat(job("merge").annotation(AfterProgress.ENDED))
        .isEqualTo("shards=Failed " + everySecondIndex(fitting));
  }

  @Test
  void aNewJobOfTheNameCountsAndNotTheEndOfTheFormerOne() {
    add("shards");
    addIndexed("merge", "shards=index");
    start();
    complete("shards", "0,2");
    end("shards", "Failed");
    erase("shards");
    restart();
    add("shards");
    complete("merge", "0,2");
    assertThat(failure("merge")).isEmpty();
    complete("shards", "0-3");
    assertThat(job("merge").annotation(AfterProgress.READY)).isEqualTo("1,3");
    assertThat(job("merge").annotation(AfterProgress.ENDED)).isNull();
  }

  @Test
  void aJobByIndexNeedsOurJobController() {
    add("shards");
    addAfter(
        "merge",
        "shards=index",
        "'completionMode': 'Indexed', 'completions': 4, 'managedBy': 'example.com/other'");
    start();
    end("shards", "Complete");
    assertThat(isSuspended("merge")).isTrue();
    assertThat(events()).singleElement().asString().startsWith("DependencyUnsupported: ");
  }

  @Test
  void aJobOfAnotherControllerStartsAndStaysSuspendedOnFailure() {
    add("a");
    add("bad");
    addAfter("b", "a", "'managedBy': 'example.com/other'");
    addAfter("c", "bad", "'managedBy': 'example.com/other'");
    start();
    end("a", "Complete");
    assertThat(isSuspended("b")).isFalse();
    end("bad", "Failed");
    assertThat(isSuspended("c")).isTrue();
    assertThat(job("c").status()).isNull();
    assertThat(events()).contains("DependencyFailed: Job bad has failed");
  }

  @Test
  void aJobStaysSuspendedIfItsStatusMayNotBeWritten() {
    world.api.before(
        Fault.refusing("updateStatus jobs", new ClusterException(Reason.FORBIDDEN, "no")));
    add("a");
    addAfter("b", "a");
    start();
    end("a", "Failed");
    assertThat(isSuspended("b")).isTrue();
    assertThat(events()).containsExactly("DependencyFailed: Job a has failed");
  }

  @Test
  void missingPredecessorsAreToldOnceTheyAreLate() {
    start();
    addAfter("b", "a");
    assertThat(events()).isEmpty();
    world.pass(Duration.ofMinutes(1));
    assertThat(events())
        .containsExactly("DependencyMissing: Waiting for Jobs that do not exist: a");
    add("a");
    end("a", "Complete");
    assertThat(isSuspended("b")).isFalse();
  }

  @Test
  void jobsThatWaitForEachOtherAreTold() {
    start();
    addAfter("a", "c");
    addAfter("b", "a");
    addAfter("c", "b");
    assertThat(events()).contains("DependencyCycle: Jobs wait for each other: c, b, a, c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"before", "after"})
  void aLostWriteIsRepeated(String when) {
    Fault once = Fault.refusing("patch jobs", new ClusterException(Reason.UNAVAILABLE, "lost"));
    if (when.equals("before")) {
      world.api.before(once);
    } else {
      world.api.after(once);
    }
    add("a");
    addAfter("b", "a");
    start();
    end("a", "Complete");
    world.pass(Duration.ofMinutes(1));
    assertThat(isSuspended("b")).isFalse();
  }
}
