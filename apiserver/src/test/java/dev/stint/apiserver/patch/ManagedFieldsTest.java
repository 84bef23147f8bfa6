package dev.stint.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.stint.apiserver.patch.FieldManager.Operation;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class ManagedFieldsTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);

  @Test
  void aCreatorOwnsAllThatAnObjectHasButItsIdentity() {
    ObjectNode job = created("kubectl");
    assertThat(entries(job))
        .containsExactly(
            Sample.tree(
                """
                {'manager': 'kubectl', 'operation': 'Update', 'apiVersion': 'batch/v1',
                 'time': '2026-01-31T12:00:00Z', 'fieldsType': 'FieldsV1', 'fieldsV1': {
                  'f:metadata': {'f:labels': {'.': {}, 'f:app': {}}},
                  'f:spec': {'f:completions': {}, 'f:parallelism': {}, 'f:template': {'f:spec': {
                    'f:containers': {'k:{\\"name\\":\\"main\\"}': {'.': {}, 'f:command': {},
                      'f:image': {}, 'f:name': {}, 'f:ports': {'.': {},
                        'k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}': {
                          '.': {}, 'f:containerPort': {}, 'f:protocol': {}}}}},
                    'f:restartPolicy': {}}}}}}
                """));
  }

  @Test
  void whoChangesAFieldTakesItFromItsOwner() {
    ObjectNode before = created("one");
    ObjectNode after = before.deepCopy();
    spec(after).put("parallelism", 5);
    updated(before, after, updater("two", ""), LATER);
    assertThat(managers(after)).containsExactly("one", "two");
    assertThat(entries(after).get(0).path("fieldsV1").path("f:spec").has("f:parallelism"))
        .isFalse();
    assertThat(entries(after).get(0).path("time").asString()).isEqualTo("2026-01-31T12:00:00Z");
    assertThat(entries(after).get(1).get("fieldsV1"))
        .isEqualTo(Sample.tree("{'f:spec':{'f:parallelism':{}}}"));
    assertThat(entries(after).get(1).path("time").asString()).isEqualTo("2026-01-31T12:01:00Z");
  }

  @Test
  void sharedMetadataWithoutEntriesIsNotChanged() {
    ObjectNode plain = created("one");
    plain.withObjectProperty("metadata").remove("managedFields");
    ObjectNode stored = KubeObject.of(plain).tree();
    ObjectNode after = Json.copyOf(stored);
    after.set("spec", Json.object().put("parallelism", 5));
    ManagedFields.updated(stored, after, after, updater("two", ""), LATER, DocumentShape.BUILT_IN);
    assertThat(after.at("/metadata")).isEqualTo(stored.at("/metadata"));
  }

  @Test
  void entriesThatMakeNoSenseDoNotCount() {
    String sound =
        "{'manager':'m','operation':'Update','apiVersion':'batch/v1','fieldsType':'FieldsV1',"
            + "'fieldsV1':{'f:spec':{}}}";
    assertThat(kept(sound)).isEqualTo(1);
    assertThat(kept(sound + "," + sound.replace("batch/v1", "v1"))).isEqualTo(1);
    assertThat(kept(sound + "," + sound.replace("Update", "Nope"))).isZero();
    assertThat(kept(sound + "," + sound.replace("f:spec", "x"))).isZero();
    assertThat(kept("{}")).isEqualTo(1);
  }

  private static int kept(String entries) {
    ObjectNode object = Sample.tree("{'metadata':{'managedFields':[" + entries + "]}}");
    ManagedFields.keepSound(object, "batch/v1", DocumentShape.BUILT_IN);
    return object.path("metadata").path("managedFields").size();
  }

  @Test
  void whatIsGoneIsNobodys() {
    ObjectNode before = created("one");
    ObjectNode after = before.deepCopy();
    ((ObjectNode) after.get("metadata")).remove("labels");
    updated(before, after, updater("two", ""), LATER);
    assertThat(managers(after)).containsExactly("one");
    assertThat(entries(after).get(0).path("fieldsV1").has("f:metadata")).isFalse();
    assertThat(entries(after).get(0).path("time").asString()).isEqualTo("2026-01-31T12:00:00Z");
  }

  @Test
  void entriesStayWhereNothingChanges() {
    ObjectNode before = created("one");
    ObjectNode after = before.deepCopy();
    updated(before, after, updater("one", ""), LATER);
    assertThat(after).isEqualTo(before);
    assertThat(after.path("metadata").get("managedFields"))
        .isSameAs(before.path("metadata").get("managedFields"));
  }

  @Test
  void aStatusHasAnEntryOfItsOwn() {
    ObjectNode before = created("one");
    ObjectNode after = before.deepCopy();
    after.set("status", Sample.tree("{'active':1,'conditions':[{'type':'A'}]}"));
    updated(before, after, updater("one", "status"), LATER);
    assertThat(entries(after)).hasSize(2);
    assertThat(entries(after).get(1).path("subresource").asString()).isEqualTo("status");
    assertThat(entries(after).get(1).get("fieldsV1"))
        .isEqualTo(Sample.tree("{'f:status':{'f:active':{},'f:conditions':{}}}"));
  }

  @Test
  void aClientThatLeavesEntriesOutDoesNotDropThem() {
    ObjectNode before = created("one");
    for (String given : List.of("[{},{}]", "[{'operation':'Update'}]", "null")) {
      ObjectNode after = before.deepCopy();
      ((ObjectNode) after.get("metadata")).set("managedFields", Sample.value(given));
      updated(before, after, updater("two", ""), LATER);
      assertThat(after).as(given).isEqualTo(before);
    }
  }

  @Test
  void aClientDropsAllEntriesOnDemandAndTheyStayAway() {
    ObjectNode before = created("one");
    for (String given : List.of("[]", "[{}]")) {
      ObjectNode reset = before.deepCopy();
      ((ObjectNode) reset.get("metadata")).set("managedFields", Sample.value(given));
      updated(before, reset, updater("two", ""), LATER);
      assertThat(reset.path("metadata").has("managedFields")).as(given).isFalse();
      ObjectNode after = reset.deepCopy();
      spec(after).put("parallelism", 5);
      updated(reset, after, updater("two", ""), LATER);
      assertThat(after.path("metadata").has("managedFields")).as(given).isFalse();
    }
  }

  @Test
  void anotherPartOfTheObjectIsNotWrittenThroughASubresourceNorTheStatusWithoutIt() {
    ObjectNode before = created("one");
    ObjectNode after = before.deepCopy();
    after.set("status", Sample.tree("{'active':1}"));
    updated(before, after, updater("two", ""), LATER);
    assertThat(managers(after)).containsExactly("one");
    spec(after).put("parallelism", 5);
    updated(before, after, updater("two", "status"), LATER);
    assertThat(fields(after, "two")).containsExactly(".status.active");
  }

  @Test
  void whatIsAlwaysThereIsNobodys() {
    ObjectNode cronJob =
        Sample.tree(
            """
            {'apiVersion': 'batch/v1', 'kind': 'CronJob', 'metadata': {'name': 'a'},
             'spec': {'schedule': '', 'suspend': true, 'jobTemplate': {'metadata': {}, 'spec': {
               'template': {'metadata': {}, 'spec': {'containers': null}}}}},
             'status': {}}
            """);
    updated(null, cronJob, updater("one", ""), NOW);
    assertThat(fields(cronJob, "one")).containsExactly(".spec.suspend");
  }

  @Test
  void entriesThatDifferInTimeAreTheSame() {
    ObjectNode job = created("one");
    ObjectNode later = Sample.job();
    updated(null, later, updater("one", ""), LATER);
    assertThat(ManagedFields.sameButTimes(metadata(job), metadata(later))).isTrue();
    assertThat(ManagedFields.sameButTimes(metadata(job), metadata(created("two")))).isFalse();
  }

  @Test
  void aClientMayWriteOtherEntries() {
    ObjectNode before = created("one");
    ObjectNode after = before.deepCopy();
    ((ObjectNode) after.path("metadata").path("managedFields").get(0)).put("manager", "renamed");
    updated(before, after, updater("two", ""), LATER);
    assertThat(managers(after)).containsExactly("renamed");
  }

  @Test
  void onlyTheLatestTenUpdatersAreToldApart() {
    ObjectNode object = created("m0");
    for (int i = 1; i < 25; i++) {
      ObjectNode after = object.deepCopy();
      ((ObjectNode) after.path("metadata").get("labels")).put("l" + i, "x");
      updated(object, after, updater("m" + i, ""), NOW.plusSeconds(i));
      object = after;
    }
    assertThat(managers(object))
        .containsExactly(
            "ancient-changes", "m16", "m17", "m18", "m19", "m20", "m21", "m22", "m23", "m24");
    assertThat(entries(object).get(0).path("fieldsV1").path("f:metadata").path("f:labels"))
        .hasSize(17);
    assertThat(entries(object).get(0).path("time").asString()).isEqualTo("2026-01-31T12:00:15Z");
  }

  /** A client may write any number of entries in one request. */
  @Test
  void manyEntriesAreMergedInOnePass() {
    long few = allocated(() -> createdWith(500));
    long many = allocated(() -> createdWith(4_000));
    assertThat(many).as("%d for 500 entries", few).isLessThan(20 * few);
    assertThat(managers(createdWith(500))).startsWith("ancient-changes", "m92", "m93").hasSize(10);
  }

  private static ObjectNode createdWith(int entries) {
    ObjectNode job = Sample.job();
    metadata(job).set("managedFields", entries("Update", entries));
    updated(null, job, updater("m499", ""), NOW);
    return job;
  }

  /** Returns entries of distinct managers, each with a field of its own. */
  static ArrayNode entries(String operation, int count) {
    ArrayNode entries = Json.array();
    for (int i = 0; i < count; i++) {
      entries
          .addObject()
          .put("manager", "m" + i)
          .put("operation", operation)
          .put("apiVersion", "batch/v1")
          .put("time", "2026-01-01T00:00:00Z")
          .put("fieldsType", "FieldsV1")
          .putObject("fieldsV1")
          .putObject("f:x" + i);
    }
    return entries;
  }

  /** Returns the bytes that some work allocates, which tell how much it is. */
  static long allocated(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    work.run();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void itemsThatShareTheirKeysAreOneField() {
    ObjectNode before = created("one");
    ObjectNode after = before.deepCopy();
    container(after)
        .set("env", Sample.value("[{'name':'A','value':'1'},{'name':'A','value':'2'}]"));
    updated(before, after, updater("two", ""), LATER);
    assertThat(FieldPaths.of((ObjectNode) entries(after).get(1).path("fieldsV1")))
        .containsExactly(
            ".spec.template.spec.containers[name=\"main\"].env",
            ".spec.template.spec.containers[name=\"main\"].env[name=\"A\"]");
  }

  @Test
  void defaultsStandInForAbsentKeys() {
    ObjectNode before = created("one");
    ObjectNode after = before.deepCopy();
    container(after).set("ports", Sample.value("[{'containerPort':80}]"));
    updated(before, after, updater("two", ""), LATER);
    assertThat(managers(after)).containsExactly("one");
  }

  /** Updates as a write does that requests exactly the resulting object. */
  static void updated(
      @Nullable ObjectNode before, ObjectNode after, FieldManager manager, Instant now) {
    if (before != null) {
      ManagedFields.carry(metadata(before), metadata(after));
    }
    ManagedFields.updated(before, after, after, manager, now, DocumentShape.BUILT_IN);
  }

  static ObjectNode metadata(ObjectNode object) {
    return (ObjectNode) Objects.requireNonNull(object.get("metadata"));
  }

  static List<String> fields(ObjectNode object, String manager) {
    return entries(object).stream()
        .filter(entry -> entry.path("manager").asString("").equals(manager))
        .flatMap(entry -> FieldPaths.of((ObjectNode) entry.path("fieldsV1")).stream())
        .toList();
  }

  static ObjectNode created(String manager) {
    ObjectNode job = Sample.job();
    updated(null, job, updater(manager, ""), NOW);
    return job;
  }

  static FieldManager updater(String name, String subresource) {
    return new FieldManager(name, Operation.UPDATE, subresource, "batch/v1");
  }

  static ObjectNode spec(ObjectNode job) {
    return (ObjectNode) Objects.requireNonNull(job.get("spec"));
  }

  static ObjectNode container(ObjectNode job) {
    return (ObjectNode) job.at("/spec/template/spec/containers/0");
  }

  static List<JsonNode> entries(ObjectNode object) {
    List<JsonNode> entries = new ArrayList<>();
    object.path("metadata").path("managedFields").forEach(entries::add);
    return entries;
  }

  static List<String> managers(ObjectNode object) {
    return entries(object).stream().map(entry -> entry.path("manager").asString("")).toList();
  }
}
