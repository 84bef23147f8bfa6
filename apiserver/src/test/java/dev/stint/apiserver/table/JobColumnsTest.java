package dev.stint.apiserver.table;

import static dev.stint.apiserver.table.Given.cells;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobColumnsTest {
  /** As recorded: conformance/conversation.json, table of jobs. */
  @Test
  void showsARunningJob() {
    assertThat(
            cells(
                Kind.JOB,
                """
                {"spec": {"completions": 2, "parallelism": 2,
                   "selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": "UID"}},
                   "template": {"spec": {"containers": [{"name": "main", "image": "busybox"}]}}}}
                """))
        .containsExactly(
            "a",
            "Running",
            "0/2",
            "",
            "5s",
            "main",
            "busybox",
            "batch.kubernetes.io/controller-uid=UID");
  }

  @Test
  @Covers("MB-41")
  void aTableWithAJobThatIsLeftToAnotherControllerHasTheManagersToo() {
    assertThat(Columns.JOBS.of(Given.object(Kind.JOB, "{}")).list()).isEqualTo(JobColumns.ALL);
    KubeObject left = Given.object(Kind.JOB, "{\"spec\": {\"managedBy\": \"example.com/x\"}}");
    assertThat(Columns.JOBS.of(left).list())
        .extracting(Column::name)
        .containsExactly(
            "Name",
            "Status",
            "Completions",
            "Duration",
            "Age",
            "Containers",
            "Images",
            "Selector",
            "Managed_By");
    assertThat(JobColumns.WITH_MANAGER.getLast().wide()).isTrue();
  }

  @Test
  @Covers({"MB-41", "MB-43"})
  void tellsTheControllerThatAJobIsLeftTo() {
    FieldPath job = FieldPath.root(Json.parse("{\"spec\": {\"managedBy\": \"example.com/typo\"}}"));
    assertThat(JobColumns.WITH_MANAGER.getLast().cell().of(job, Given.NOW).stringValue())
        .isEqualTo("example.com/typo");
  }

  @ParameterizedTest
  @CsvSource({
    "Complete, '', Complete",
    "Failed, x, Failed",
    "'', x, Terminating",
    "Suspended, x, Terminating",
    "Suspended, '', Suspended",
    "FailureTarget, '', FailureTarget",
    "SuccessCriteriaMet, '', SuccessCriteriaMet",
    "Other, '', Running"
  })
  void tellsTheStatusFromConditionsAndDeletion(String condition, String deleted, String status) {
    String job =
        "{\"metadata\": {%s}, \"status\": {\"conditions\": [{\"type\": \"%s\", \"status\": \"True\"}]}}"
            .formatted(deleted.isEmpty() ? "" : "\"deletionTimestamp\": \"x\"", condition);

    assertThat(JobColumns.status(FieldPath.root(Json.parse(job)))).isEqualTo(status);
  }

  @Test
  void passesOverConditionsThatDoNotHold() {
    String job =
        "{\"status\": {\"conditions\": [{\"type\": \"Suspended\", \"status\": \"False\"}]}}";

    assertThat(JobColumns.status(FieldPath.root(Json.parse(job)))).isEqualTo("Running");
  }

  @ParameterizedTest
  @CsvSource({
    "'\"completions\": 3', 1/3",
    "'\"parallelism\": 3', 1/1 of 3",
    "'\"parallelism\": 1', 1/1"
  })
  void countsCompletionsOfWorkQueuesAgainstOne(String spec, String completions) {
    String job = "{\"spec\": {%s}, \"status\": {\"succeeded\": 1}}".formatted(spec);

    assertThat(JobColumns.completions(FieldPath.root(Json.parse(job)))).isEqualTo(completions);
  }

  @Test
  void measuresUntilTheEndOnceThereIsOne() {
    String start = "{\"status\": {\"startTime\": \"2026-01-01T11:50:00Z\"";

    assertThat(duration(start + "}}")).isEqualTo("10m");
    assertThat(duration(start + ", \"completionTime\": \"2026-01-01T11:50:07Z\"}}"))
        .isEqualTo("7s");
    assertThat(
            duration(
                start
                    + ", \"conditions\": [{\"type\": \"Failed\", \"status\": \"True\","
                    + " \"lastTransitionTime\": \"2026-01-01T11:50:09Z\"}]}}"))
        .isEqualTo("9s");
    assertThat(duration("{}")).isEmpty();
  }

  @Test
  void writesSelectorsAsOneTypesThem() {
    String selector =
        """
        {"matchLabels": {"b": "1", "a": "2"}, "matchExpressions": [
          {"key": "c", "operator": "In", "values": ["y", "x"]},
          {"key": "d", "operator": "NotIn", "values": ["x"]},
          {"key": "e", "operator": "Exists"}, {"key": "f", "operator": "DoesNotExist"}]}
        """;

    assertThat(PodTemplates.selector(FieldPath.root(Json.parse(selector))))
        .isEqualTo("a=2,b=1,c in (x,y),d notin (x),e,!f");
    assertThat(PodTemplates.selector(FieldPath.root(Json.object()))).isEqualTo("<none>");
  }

  private static String duration(String job) {
    return JobColumns.duration(FieldPath.root(Json.parse(job)), Given.NOW);
  }
}
