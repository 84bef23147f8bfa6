package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Corner cases: combinations of policies, and large ones. */
class PolicyCornersTest {
  @Test
  @Covers({"SP-55", "SP-56"})
  void aPolicyIsMetAlthoughOtherIndexesFailed() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,"
                        + "'backoffLimitPerIndex':0,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"))
            .settle();
    world.deletedPodsVanish = false;
    world.fail(1, 1).succeed(0);
    assertThat(world.status.failedIndexes()).hasToString("1");
    assertThat(world.status.isTrue("SuccessCriteriaMet")).isTrue();
    assertThat(world.status.isTrue("Complete")).isFalse();
    world.stopDeletedPods();
    world.settle();
    assertThat(world.status.isTrue("SuccessCriteriaMet")).isTrue();
    assertThat(world.status.isTrue("Complete")).isTrue();
  }

  @Test
  @Covers("BI-32")
  void ignoredFailuresOfAnIndexLengthenItsDelayAsInKubernetes() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':1,'parallelism':1,"
                        + "'backoffLimitPerIndex':5,'podFailurePolicy':{'rules':[{'action':"
                        + "'Ignore','onExitCodes':{'operator':'In','values':[7]}}]}}"))
            .settle();
    for (int seconds : new int[] {10, 20, 40}) {
      world.fail(0, 7);
      world.pass(Duration.ofSeconds(seconds - 1));
      assertThat(world.activeIndexes()).isEmpty();
      world.pass(Duration.ofSeconds(1));
      assertThat(world.activeIndexes()).containsExactly(0);
    }
    assertThat(world.status.failed()).isZero();
  }

  @Test
  @Covers("BI-36")
  void failedIndexesRideOnTheStatusThatCounts() {
    long regular = writesOfTenFailures("'backoffLimit':100");
    assertThat(writesOfTenFailures("'backoffLimitPerIndex':0")).isEqualTo(regular);
  }

  /** Counts the status writes after ten of twenty pods fail together. */
  private static long writesOfTenFailures(String limit) {
    EngineWorld world =
        new EngineWorld(
                job("{'completionMode':'Indexed','completions':20,'parallelism':20," + limit + "}"))
            .settle();
    world.statuses.clear();
    for (int index = 0; index < 10; index++) {
      world.failQuietly(index, 1);
    }
    world.settle();
    assertThat(world.status.failed()).isEqualTo(10);
    return world.statuses.size();
  }

  @Test
  @Covers("SP-52")
  void aRuleOfSixtyFourKibibytesIsMetByTheLastOfItsIndexes() {
    IndexSet.Builder wanted = IndexSet.builder();
    int count = 0;
    StringBuilder text = new StringBuilder();
    for (int index = 0; text.length() + 6 < 64 * 1024; index += 2) {
      text.append(index == 0 ? "" : ",").append(index);
      wanted.add(index);
      count++;
    }
    int last = 2 * (count - 1);
    EngineWorld world =
        new EngineWorld(
            job(
                "{'completionMode':'Indexed','completions':100000,'parallelism':2,"
                    + "'successPolicy':{'rules':[{'succeededIndexes':'"
                    + text
                    + "'}]}}"));
    IndexSet all = wanted.build();
    assertThat(all.toString()).hasSameSizeAs(text);
    world.status = done(all.below(last), count - 1);
    world.settle();
    assertThat(world.status.conditions()).isEmpty();
    world.status = done(all, count);
    world.settle();
    assertThat(world.status.isTrue("SuccessCriteriaMet")).isTrue();
    assertThat(count).isGreaterThan(11_000);
  }

  private static JobStatus done(IndexSet completed, int count) {
    JobStatus plain = JobStatus.EMPTY;
    ObjectNode tree = plain.write();
    tree.put("completedIndexes", completed.toString()).put("succeeded", count);
    tree.put("startTime", "2026-01-01T00:00:00Z");
    tree.putObject("uncountedTerminatedPods");
    return JobStatus.read(tree);
  }
}
