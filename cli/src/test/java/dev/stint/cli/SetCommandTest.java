package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.list.ItemList;
import dev.stint.cli.list.ListJob;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint set} on a cluster that a kubeconfig names. */
class SetCommandTest {
  @TempDir private Path directory;
  private FarCluster far;

  @BeforeEach
  void start() throws Exception {
    far = new FarCluster(directory, null, 1000);
  }

  @AfterEach
  void stop() {
    far.close();
  }

  private Recorded set(String... args) {
    Recorded recorded = Recorded.of("", Map.of(), false, StandardCharsets.UTF_8);
    List<String> all = new ArrayList<>(List.of("set", "--kubeconfig=" + far.kubeconfig()));
    all.addAll(List.of(args));
    recorded.run(all.toArray(String[]::new));
    return recorded;
  }

  private JsonNode spec(ObjectRef job) {
    return far.get(job).tree().get("spec");
  }

  @Test
  void fieldsThatMayChangeAreChangedAndNamed() throws Exception {
    ObjectRef job = far.create("a", 4, 1, "");
    assertThat(set("a", "--parallel", "3", "--deadline", "2h", "--retries", "9", "--ttl=1m").out())
        .containsExactly(
            "a: activeDeadlineSeconds none → 7200, backoffLimit 6 → 9, parallelism 1 → 3,"
                + " ttlSecondsAfterFinished none → 60");
    assertThat(spec(job).get("parallelism").intValue()).isEqualTo(3);
    assertThat(set("a", "--parallel", "3").out()).containsExactly("a: has these values already");
    set("a", "--deadline", "none");
    assertThat(spec(job).has("activeDeadlineSeconds")).isFalse();
    set("job/a", "--completions", "6");
    assertThat(spec(job).get("completions").intValue()).isEqualTo(6);
    assertThat(spec(job).get("parallelism").intValue()).isEqualTo(6);
  }

  @Test
  void otherChangesAreRefusedBeforeAnyJobIsChanged() throws Exception {
    ObjectRef plain = far.create("a", 4, 1, "");
    far.create("b", 4, 1, "'backoffLimitPerIndex':1");
    assertThat(set("a", "b", "--retries", "2").err())
        .containsExactly(
            "stint: --retries: b has backoffLimitPerIndex, which cannot be changed once the Job"
                + " exists");
    assertThat(spec(plain).get("backoffLimit").intValue()).isEqualTo(6);
    assertThat(set("a", "--parallel=-1").err())
        .singleElement()
        .asString()
        .startsWith("stint: a: spec.parallelism: ");
    assertThat(set("b", "--completions", "6", "--parallel", "2").err())
        .singleElement()
        .asString()
        .startsWith("stint: b: spec.completions: can only be changed together with parallelism");
    assertThat(set("a").err()).singleElement().asString().contains("name what to change");
    assertThat(set("a", "--deadline", "10").err())
        .singleElement()
        .asString()
        .contains("--deadline \"10\" is not a duration");
  }

  @Test
  void aShareIsOneOfTheNewNumberOfIndexes() throws Exception {
    ObjectRef job = far.create("a", 50, 1, "'backoffLimitPerIndex':1");
    set("a", "--max-failed", "10%", "--completions", "200");
    assertThat(spec(job).get("maxFailedIndexes").intValue()).isEqualTo(20);
    set("a", "--max-failed", "10%");
    assertThat(spec(job).get("maxFailedIndexes").intValue()).isEqualTo(20);
  }

  /** Their pods would wait for lines that do not exist. */
  @Test
  void aListHasALineForEachIndex() throws Exception {
    ListJob made =
        ListJob.of(
            ItemList.of(List.of("x", "y", "z")),
            List.of("echo", "{}"),
            new ListJob.Settings("a", 0, 3, null, null, "busybox", null, null));
    for (ObjectNode list : made.lists()) {
      far.cluster().create(inDefault(list)).get();
    }
    ObjectRef job = far.cluster().create(inDefault(made.job())).get().ref();
    assertThat(set("a", "--completions", "4").err())
        .containsExactly(
            "stint: --completions: the list of a is shorter; add lines to it, and use stint run"
                + " --each again");
    set("a", "--completions", "2");
    set("a", "--completions", "3");
    assertThat(spec(job).get("completions").intValue()).isEqualTo(3);
  }

  private static KubeObject inDefault(ObjectNode document) {
    ObjectNode copy = document.deepCopy();
    copy.withObjectProperty("metadata").put("namespace", "default");
    return KubeObject.of(copy);
  }

  @Test
  void onlyTheTimeToLiveOfAFinishedJobChanges() throws Exception {
    ObjectRef job = far.create("a", 1, 1, "");
    far.cluster()
        .patchStatus(
            job,
            Json.parse(
                """
                {"status": {"startTime": "2026-11-23T10:00:00Z", "conditions": [
                  {"type": "FailureTarget", "status": "True", "reason": "x", "lastTransitionTime": "2026-11-23T10:00:00Z"},
                  {"type": "Failed", "status": "True", "reason": "x", "lastTransitionTime": "2026-11-23T10:00:00Z"}]}}
                """))
        .get();
    assertThat(set("a", "--parallel", "3").err())
        .containsExactly("stint: a is finished; only --ttl can be set");
    assertThat(set("a", "--ttl", "1h").out())
        .containsExactly("a: ttlSecondsAfterFinished none → 3600");
  }
}
