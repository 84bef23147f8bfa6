package dev.stint.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.flag.ShareConverter;
import dev.stint.cli.list.ItemList;
import dev.stint.cli.list.ListComparison;
import dev.stint.cli.list.ListJob;
import dev.stint.cli.list.RequestedList;
import dev.stint.jobs.Rerun;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Documents;
import dev.stint.model.index.IndexSet;
import dev.stint.model.item.Item;
import dev.stint.model.job.JobAdmission;
import dev.stint.model.job.JobStatus;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ListRulesTest {
  private static final Instant NOW = Instant.parse("2026-11-23T10:03:00Z");
  private static final List<String> LINES = List.of("a", "b", "c", "d");
  private static final String UNFINISHED = "{\"succeeded\": 3, \"completedIndexes\": \"0-2\"}";
  private static final String FAILED = ended("Failed", "0-2");

  private static String ended(String type, String indexes) {
    return """
    {"startTime": "2026-11-23T09:00:00Z", "completedIndexes": "%s",
     "conditions": [{"type": "%s", "status": "True", "lastTransitionTime": "2026-11-23T10:00:00Z"}]}
    """
        .formatted(indexes, type);
  }

  /** A command line. */
  private record Line(
      @Nullable String name,
      List<String> lines,
      String program,
      @Nullable Integer retries,
      @Nullable Integer parallel,
      @Nullable ShareConverter success,
      String source) {
    static final Line PLAIN = new Line(null, LINES, "gzip", null, null, null, "/list");

    Line withName(String given) {
      return new Line(given, lines, program, retries, parallel, success, source);
    }

    Line with(String... others) {
      return new Line(name, List.of(others), program, retries, parallel, success, source);
    }

    Line withProgram(String other) {
      return new Line(name, lines, other, retries, parallel, success, source);
    }

    Line withRetries(int count) {
      return new Line(name, lines, program, count, parallel, success, source);
    }

    Line withParallel(int count) {
      return new Line(name, lines, program, retries, count, success, source);
    }

    Line withSuccess(ShareConverter share) {
      return new Line(name, lines, program, retries, parallel, share, source);
    }

    Line withSource(String file) {
      return new Line(name, lines, program, retries, parallel, success, file);
    }

    RequestedJob requested() {
      ListJob made =
          ListJob.of(
              ItemList.of(lines),
              List.of(program, "{}"),
              new ListJob.Settings(
                  name, retries, parallel, success, null, "busybox", null, Path.of(source)));
      return RequestedJob.of(Documents.read("--each", Json.bytes(made.job())).getFirst(), made);
    }

    KubeObject stored(String status) {
      return stored(status, requested().name());
    }

    KubeObject stored(String status, String other) {
      ObjectNode job = requested().toCreate().copy();
      assertThat(JobAdmission.create(job, "u", FeatureGates.DEFAULT)).isEmpty();
      ObjectNode metadata = job.withObjectProperty("metadata");
      metadata.put("resourceVersion", "1").put("name", other);
      metadata.withObjectProperty("annotations").put(RunAnnotations.REPORTED, "true");
      job.set("status", Json.parse(status));
      return KubeObject.of(job);
    }

    RunDecision decide(ExistingJobs mode, KubeObject... jobs) {
      return decide(mode, null, jobs);
    }

    RunDecision decide(ExistingJobs mode, @Nullable IndexSet noted, KubeObject... jobs) {
      RequestedJob requested = requested();
      RequestedList list = java.util.Objects.requireNonNull(requested.list());
      List<KubeObject> related =
          Arrays.stream(jobs).filter(job -> list.isRelated(requested.name(), job)).toList();
      return new ListRules(
              requested,
              list,
              related,
              new ListRules.Earlier() {
                @Override
                public boolean isIdle(KubeObject job) {
                  return true;
                }

                @Override
                public IndexSet succeeded(KubeObject job) {
                  return JobStatus.read(job.status()).completedIndexes();
                }

                @Override
                public ListComparison compare(KubeObject job, IndexSet succeeded) {
                  return ListComparison.of(
                      list.items(),
                      false,
                      i -> Optional.of(new Item(i, LINES.get(i), null)),
                      LINES.size(),
                      succeeded);
                }
              },
              FeatureGates.DEFAULT,
              NOW)
          .decide(mode, noted);
    }

    String words(ExistingJobs mode, KubeObject... jobs) {
      return decide(mode, jobs).words().orElse("");
    }
  }

  private static IndexSet kept(RunDecision decision) {
    return decision instanceof RunDecision.Continue goesOn ? goesOn.kept() : IndexSet.EMPTY;
  }

  @Test
  void aNewListIsRunWhole() {
    assertThat(Line.PLAIN.decide(ExistingJobs.CONTINUE)).isEqualTo(new RunDecision.Create());
    KubeObject other = Line.PLAIN.withSource("/other").with("x").stored(FAILED);
    assertThat(Line.PLAIN.decide(ExistingJobs.CONTINUE, other)).isEqualTo(new RunDecision.Create());
  }

  @Test
  void afterAFailureOnlyTheRestRuns() {
    KubeObject failed = Line.PLAIN.stored(FAILED);
    RunDecision decision = Line.PLAIN.decide(ExistingJobs.CONTINUE, failed);
    assertThat(kept(decision)).hasToString("0-2");
    assertThat(decision.words())
        .contains("3 of 4 lines succeeded before; runs the other one (--fresh runs all)");
    assertThat(Line.PLAIN.words(ExistingJobs.FRESH, failed))
        .startsWith("runs all 4 lines (--fresh); the last one failed 3m ago");
  }

  private static KubeObject rerun(Line of, String name) {
    ObjectNode rerun = of.stored(ended("Complete", "0-3"), name).copy();
    rerun
        .withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put("stint.dev/rerun-of", of.requested().name());
    return KubeObject.of(rerun);
  }

  @Test
  void successesOfAnEarlierRerunCount() {
    String name = Line.PLAIN.requested().name();
    RunDecision decision =
        Line.PLAIN.decide(
            ExistingJobs.CONTINUE, Line.PLAIN.stored(FAILED), rerun(Line.PLAIN, name + "-rerun-1"));
    assertThat(kept(decision)).hasToString("0-3");
    assertThat(decision.words()).contains("all 4 lines succeeded before; --fresh runs them again");
  }

  @Test
  void successesOfARerunWhoseNameIsCutCount() {
    Line named = Line.PLAIN.withName("n".repeat(60));
    KubeObject rerun = rerun(named, Rerun.name(named.requested().name(), _ -> false));
    assertThat(kept(named.decide(ExistingJobs.CONTINUE, named.stored(FAILED), rerun)))
        .hasToString("0-3");
  }

  @Test
  void nothingRunsIfAllHaveSucceeded() {
    KubeObject complete = Line.PLAIN.stored(ended("Complete", "0-3"));
    assertThat(Line.PLAIN.decide(ExistingJobs.CONTINUE, complete))
        .isInstanceOf(RunDecision.Done.class);
    assertThat(Line.PLAIN.words(ExistingJobs.CONTINUE, complete))
        .isEqualTo("all 4 lines succeeded before; --fresh runs them again");
    Line lenient = Line.PLAIN.withSuccess(new ShareConverter(50, true));
    KubeObject enough = lenient.stored(ended("Complete", "0-2"));
    assertThat(lenient.words(ExistingJobs.CONTINUE, enough))
        .isEqualTo("3 of 4 lines succeeded before, which is enough (--success); --fresh runs all");
    assertThat(kept(Line.PLAIN.decide(ExistingJobs.CONTINUE, enough))).hasToString("0-2");
  }

  @Test
  void anUnfinishedJobGoesOnWithAnotherParallelism() {
    KubeObject job = Line.PLAIN.withParallel(2).withRetries(1).stored(UNFINISHED);
    assertThat(Line.PLAIN.withParallel(3).words(ExistingJobs.CONTINUE, job))
        .isEqualTo("parallelism 2 → 3");
    assertThat(Line.PLAIN.decide(ExistingJobs.CONTINUE, job))
        .isInstanceOfSatisfying(
            RunDecision.Resume.class, resume -> assertThat(resume.words()).isEmpty());
  }

  @Test
  void whatAnUnfinishedJobCannotChangeIsChangedByAnotherThatKeepsItsSuccesses() {
    KubeObject job = Line.PLAIN.withRetries(1).stored(UNFINISHED);
    RunDecision decision = Line.PLAIN.withRetries(3).decide(ExistingJobs.CONTINUE, job);
    assertThat(kept(decision)).hasToString("0-2");
    assertThat(decision.words().orElse("")).endsWith("; backoffLimitPerIndex 1 → 3");
  }

  @Test
  void linesAreFoundAgainWhenTheListHasChanged() {
    for (String status : List.of(FAILED, UNFINISHED)) {
      RunDecision decision =
          Line.PLAIN
              .with("x", "c", "b", "d")
              .decide(ExistingJobs.CONTINUE, Line.PLAIN.stored(status));
      assertThat(kept(decision)).hasToString("1,2");
      assertThat(decision.words())
          .contains(
              "2 of 4 lines succeeded before; runs the other 2 (--fresh runs all); the list has"
                  + " changed: 1 line is new, 1 line is not in the list now");
    }
  }

  @Test
  void theSameLinesInAnotherFileAreKnown() {
    KubeObject earlier = Line.PLAIN.withSource("/tmp/1").stored(UNFINISHED);
    RunDecision decision = Line.PLAIN.decide(ExistingJobs.CONTINUE, earlier);
    assertThat(kept(decision)).hasToString("0-2");
    assertThat(decision)
        .isInstanceOfSatisfying(
            RunDecision.Continue.class,
            goesOn -> {
              assertThat(goesOn.replaced()).containsExactly(earlier);
              assertThat(goesOn.how()).endsWith("; replaces the unfinished " + earlier.name());
            });
    assertThat(Line.PLAIN.withName("mine").decide(ExistingJobs.CONTINUE, earlier))
        .as("a name of the user's is another Job")
        .isEqualTo(new RunDecision.Create());
  }

  @Test
  void anotherCommandIsAnotherThing() {
    Line named = Line.PLAIN.withName("mine");
    KubeObject unfinished = named.withProgram("zstd").stored(UNFINISHED);
    assertThat(named.decide(ExistingJobs.CONTINUE, unfinished))
        .isInstanceOfSatisfying(
            RunDecision.Refuse.class,
            refusal -> assertThat(refusal.why()).startsWith("--name mine: ").contains("--replace"));
    assertThat(named.words(ExistingJobs.REPLACE, unfinished))
        .isEqualTo(
            "runs all 4 lines, because the last command was another one; it succeeded for 3 of 4"
                + " lines");
    assertThat(named.decide(ExistingJobs.CONTINUE, named.withProgram("zstd").stored(FAILED)))
        .isInstanceOf(RunDecision.StartAnew.class);
  }

  @Test
  void successesThatADeadCommandNotedAreKept() {
    RunDecision decision = Line.PLAIN.decide(ExistingJobs.CONTINUE, IndexSet.of(1, 2));
    assertThat(kept(decision)).hasToString("1,2");
    KubeObject half = Line.PLAIN.stored("{}");
    assertThat(kept(Line.PLAIN.decide(ExistingJobs.CONTINUE, IndexSet.of(1), half)))
        .hasToString("1");
    assertThat(Line.PLAIN.decide(ExistingJobs.FRESH, IndexSet.of(1)))
        .isEqualTo(new RunDecision.Create());
  }

  @Test
  void notedSuccessesCountBesideThoseOfAnotherList() {
    Line changed = Line.PLAIN.with("x", "c", "b", "d");
    RunDecision decision =
        changed.decide(ExistingJobs.CONTINUE, IndexSet.of(3), Line.PLAIN.stored(UNFINISHED));
    assertThat(kept(decision)).hasToString("1-3");
    Line named = Line.PLAIN.withName("mine");
    KubeObject another = named.withProgram("zstd").stored(UNFINISHED);
    assertThat(named.decide(ExistingJobs.CONTINUE, IndexSet.of(1), another))
        .isInstanceOf(RunDecision.Refuse.class);
  }
}
