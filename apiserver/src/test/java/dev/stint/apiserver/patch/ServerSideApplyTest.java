package dev.stint.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.apiserver.patch.FieldManager.Operation;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.StatusObjects;
import dev.stint.model.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class ServerSideApplyTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);

  @Test
  void theApplierOwnsWhatItLists() {
    ObjectNode job = apply(null, Sample.job(), "one");
    assertThat(without(job)).isEqualTo(Sample.job());
    assertThat(ManagedFieldsTest.entries(job))
        .containsExactly(
            Sample.tree(
                """
                {'manager': 'one', 'operation': 'Apply', 'apiVersion': 'batch/v1',
                 'time': '2026-01-31T12:00:00Z', 'fieldsType': 'FieldsV1', 'fieldsV1': {
                  'f:metadata': {'f:labels': {'f:app': {}}},
                  'f:spec': {'f:completions': {}, 'f:parallelism': {}, 'f:template': {'f:spec': {
                    'f:containers': {'k:{\\"name\\":\\"main\\"}': {'.': {}, 'f:command': {},
                      'f:image': {}, 'f:name': {}, 'f:ports': {
                        'k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}': {
                          '.': {}, 'f:containerPort': {}, 'f:protocol': {}}}}},
                    'f:restartPolicy': {}}}}}}
                """));
  }

  @Test
  void applyingTheSameAgainChangesNothing() {
    ObjectNode job = apply(null, Sample.job(), "one");
    assertThat(
            ServerSideApply.apply(
                job, Sample.job(), applier("one"), false, LATER, DocumentShape.BUILT_IN))
        .isSameAs(job);
  }

  /** Kubernetes limits the entries of appliers nowhere. */
  @Test
  void theFieldsOfManyOwnersAreMergedInOnePass() {
    for (String operation : List.of("Apply", "Update")) {
      long few = allocated(operation, 500);
      assertThat(allocated(operation, 4_000)).as("%d for 500", few).isLessThan(20 * few);
    }
  }

  private static long allocated(String operation, int owners) {
    ObjectNode live = Sample.job();
    ManagedFieldsTest.metadata(live)
        .set("managedFields", ManagedFieldsTest.entries(operation, owners));
    return ManagedFieldsTest.allocated(() -> apply(live, Sample.job(), "one"));
  }

  /** Only a client that writes the list itself can make such entries. */
  @Test
  void anApplierWithSeveralEntriesHasAllTheirFields() {
    ArrayNode several = ManagedFieldsTest.entries("Apply", 3);
    several.forEach(entry -> ((ObjectNode) entry).put("manager", "one"));
    ObjectNode live = apply(null, Sample.job(), "one");
    ((ArrayNode) live.path("metadata").path("managedFields")).addAll(several);
    ObjectNode after = apply(live, intent("'spec':{'parallelism':1}"), "one");
    assertThat(ManagedFieldsTest.managers(after)).containsExactly("one");
    assertThat(ManagedFieldsTest.fields(after, "one")).containsExactly(".spec.parallelism");
  }

  @Test
  void anotherValueOfAnOwnedFieldConflicts() {
    ObjectNode live = apply(null, Sample.job(), "one");
    ClusterException refusal = conflict(live, intent("'spec':{'parallelism':2}"), "two");
    assertThat(refusal.reason()).isEqualTo(Reason.CONFLICT);
    assertThat(refusal)
        .hasMessage("Apply failed with 1 conflict: conflict with \"one\": .spec.parallelism");
    ObjectNode status = StatusObjects.of(refusal);
    assertThat(status.path("details").path("causes"))
        .isEqualTo(
            Sample.value(
                """
                [{'reason': 'FieldManagerConflict', 'message': 'conflict with \\"one\\"',
                  'field': '.spec.parallelism'}]
                """));
  }

  @Test
  void ownersWhoUpdatedAreNamedByVersion() {
    ObjectNode live = ManagedFieldsTest.created("kubectl");
    ClusterException refusal =
        conflict(live, intent("'spec':{'parallelism':2,'completions':3}"), "two");
    assertThat(refusal)
        .hasMessage(
            "Apply failed with 2 conflicts: conflicts with \"kubectl\" using batch/v1:\n"
                + "- .spec.completions\n- .spec.parallelism");
    assertThat(refusal.causes()).hasSize(2);
  }

  /** The migration from client-side to server-side apply, as in the documentation. */
  @Test
  void kubectlTakesOverWhatItAppliedItselfAndNobodyChanged() {
    ObjectNode live = Sample.job();
    String last = "{'apiVersion':'batch/v1','kind':'Job','spec':{'parallelism':1,'completions':9}}";
    ManagedFieldsTest.metadata(live)
        .putObject("annotations")
        .put("kubectl.kubernetes.io/last-applied-configuration", last.replace('\'', '"'));
    ManagedFieldsTest.updated(
        null, live, ManagedFieldsTest.updater("kubectl-client-side-apply", ""), NOW);
    ObjectNode wanted = intent("'spec':{'parallelism':5}");
    ObjectNode taken = apply(live, wanted, "kubectl");
    assertThat(taken.at("/spec/parallelism").asInt()).isEqualTo(5);
    assertThat(
            taken
                .at("/metadata/annotations")
                .path("kubectl.kubernetes.io/last-applied-configuration")
                .asString())
        .isEqualTo(wanted + "\n");
    assertThat(conflict(live, wanted, "other").causes()).hasSize(1);
    assertThat(conflict(live, intent("'spec':{'completions':5}"), "kubectl").causes()).hasSize(1);
  }

  /** Else nobody could apply a large definition that was once applied by a client. */
  @Test
  void aConfigurationThatIsTooLongForTheAnnotationTakesItAway() {
    ObjectNode live = Sample.job();
    ManagedFieldsTest.metadata(live)
        .putObject("annotations")
        .put("kubectl.kubernetes.io/last-applied-configuration", "{'apiVersion':'batch/v1'}");
    ObjectNode wanted = intent("'spec':{'parallelism':1}");
    ManagedFieldsTest.metadata(wanted)
        .putObject("annotations")
        .put("example.com/note", "x".repeat(200_000));
    ObjectNode applied = apply(live, wanted, "kubectl");
    assertThat(applied.at("/metadata/annotations").propertyNames())
        .containsExactly("example.com/note");
  }

  @Test
  void theSameValueIsSharedAndForceTakesFields() {
    ObjectNode live = apply(null, Sample.job(), "one");
    ObjectNode shared = apply(live, intent("'spec':{'parallelism':1}"), "two");
    assertThat(ManagedFieldsTest.managers(shared)).containsExactly("one", "two");
    ObjectNode taken =
        ServerSideApply.apply(
            shared,
            intent("'spec':{'parallelism':2}"),
            applier("two"),
            true,
            LATER,
            DocumentShape.BUILT_IN);
    assertThat(taken.path("spec").path("parallelism").asInt()).isEqualTo(2);
    assertThat(fields(taken, "one")).doesNotContain(".spec.parallelism");
    assertThat(fields(taken, "two")).containsExactly(".spec.parallelism");
    conflict(taken, Sample.job(), "one");
  }

  /** The answers of Kubernetes 1.36 in the recorded conversation. */
  @Test
  void whatTwoAppliedStaysWhereOneNoLongerListsIt() {
    ObjectNode job = apply(null, Sample.job(), "one");
    ObjectNode wanted = Sample.job();
    ManagedFieldsTest.spec(wanted).put("parallelism", 2);
    ObjectNode two =
        ServerSideApply.apply(job, wanted, applier("two"), true, LATER, DocumentShape.BUILT_IN);
    ObjectNode dropped =
        ServerSideApply.apply(two, intent(""), applier("one"), true, LATER, DocumentShape.BUILT_IN);
    assertThat(without(dropped)).isEqualTo(wanted);
    assertThat(ManagedFieldsTest.managers(dropped)).containsExactly("two");
  }

  @Test
  void whatItsOnlyOwnerNoLongerListsGoes() {
    ObjectNode live = apply(null, intent("'spec':{'suspend':true,'parallelism':1}"), "one");
    ObjectNode left = apply(live, intent("'spec':{'parallelism':1}"), "one");
    assertThat(left.get("spec")).isEqualTo(Sample.tree("{'parallelism':1}"));
  }

  @Test
  void whatNobodyEverListedStays() {
    ObjectNode live = apply(null, Sample.job(), "one");
    ManagedFieldsTest.spec(live).put("backoffLimit", 6);
    ObjectNode wanted = Sample.job();
    ManagedFieldsTest.spec(wanted).remove("parallelism");
    ObjectNode left = apply(live, wanted, "one");
    assertThat(left.get("spec").propertyNames())
        .containsExactlyInAnyOrder("completions", "backoffLimit", "template");
  }

  @Test
  void anItemGoesWithItsDefaultsAndStaysForItsOtherOwners() {
    ObjectNode live = apply(null, pod("{'name':'a','image':'x'},{'name':'b','image':'y'}"), "one");
    ((ObjectNode) live.at("/spec/containers/1")).put("imagePullPolicy", "Always");
    ObjectNode without = apply(live, pod("{'name':'a','image':'x'}"), "one");
    assertThat(without.get("spec")).isEqualTo(pod("{'name':'a','image':'x'}").get("spec"));
    ObjectNode changed = live.deepCopy();
    ((ObjectNode) changed.at("/spec/containers/1")).put("tty", true);
    ManagedFieldsTest.updated(
        live, changed, new FieldManager("u", Operation.UPDATE, "", "v1"), LATER);
    assertThat(apply(changed, pod("{'name':'a','image':'x'}"), "one").at("/spec/containers/1"))
        .isEqualTo(Sample.tree("{'name':'b','imagePullPolicy':'Always','tty':true}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a b c | c a | c b a",
        "a b | a n b | a n b",
        "a b | n | a b n",
        "x a y b z | b n a | x b y n a z",
      })
  void itemsStandAsTheConfigurationHasThemAmongTheOthers(String live, String wanted, String all) {
    ObjectNode object = apply(null, pod(containers(live)), "one");
    ObjectNode result = apply(object, pod(containers(wanted)), "two");
    assertThat(result.path("spec").path("containers").findValuesAsString("name"))
        .containsExactly(all.split(" "));
  }

  @Test
  void anObjectWithoutEntriesBelongedToSomebodyBeforeTheFirstApply() {
    ObjectNode job =
        apply(
            Sample.job().set("status", Sample.tree("{'active':1}")),
            intent("'metadata':{'name':'a','labels':{'n':'1'}}"),
            "one");
    assertThat(fields(job, "before-first-apply"))
        .contains(".spec.parallelism")
        .doesNotContain(".status.active");
    assertThat(ManagedFieldsTest.managers(job)).containsExactly("one", "before-first-apply");
    ClusterException refusal = conflict(job, intent("'spec':{'parallelism':2}"), "one");
    assertThat(refusal).hasMessageContaining("before-first-apply");
  }

  @Test
  void aStatusIsAppliedThroughItsSubresourceOnly() {
    ObjectNode live = apply(null, Sample.job(), "one");
    ObjectNode wanted = intent("'spec':{'parallelism':9},'status':{'active':1}");
    FieldManager status = new FieldManager("one", Operation.APPLY, "status", "batch/v1");
    ObjectNode applied =
        ServerSideApply.apply(live, wanted, status, false, LATER, DocumentShape.BUILT_IN);
    assertThat(applied.get("spec")).isEqualTo(live.get("spec"));
    assertThat(applied.get("status")).isEqualTo(Sample.tree("{'active':1}"));
    assertThat(ManagedFieldsTest.entries(applied)).hasSize(2);
    ObjectNode main =
        apply(applied, Sample.job().set("status", Sample.tree("{'active':7}")), "one");
    assertThat(main).isSameAs(applied);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'image':'x'} | .spec.containers: every item must have name",
        "{'name':'a'},{'name':'a'} | .spec.containers: duplicate entries for key [name=\"a\"]",
      })
  void refusesItemsThatCannotBeToldApart(String containers, String why) {
    ClusterException refusal = conflict(null, pod(containers), "one");
    assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(refusal).hasMessageContaining(why);
  }

  @Test
  void refusesAConfigurationThatSaysWhoseFieldsAre() {
    ClusterException refusal = conflict(null, ManagedFieldsTest.created("x"), "one");
    assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST);
  }

  @Test
  void whoListsNothingAnyMoreLeavesTheObjectItsName() {
    ObjectNode live = apply(null, Sample.job(), "one");
    ((ObjectNode) live.path("metadata")).put("generation", 1);
    assertThat(apply(live, intent(""), "one"))
        .isEqualTo(
            Sample.tree(
                """
                {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {
                 'name': 'a', 'namespace': 'default', 'uid': 'u', 'generation': 1}}
                """));
  }

  @Test
  void aNullIsOwnedAndClearsAValueButNoMapOrList() {
    ObjectNode live = apply(null, Sample.job(), "one");
    ObjectNode wanted =
        intent("'metadata':{'name':'a','labels':null},'spec':{'parallelism':null,'suspend':true}");
    ObjectNode job =
        ServerSideApply.apply(live, wanted, applier("two"), true, NOW, DocumentShape.BUILT_IN);
    assertThat(job.at("/spec/parallelism").isNull()).isTrue();
    assertThat(job.at("/metadata/labels")).isEqualTo(Sample.tree("{'app':'x'}"));
    assertThat(fields(job, "two"))
        .containsExactly(".metadata.labels", ".spec.parallelism", ".spec.suspend");
  }

  @Test
  void anEmptyMapIsOwnedAndAnEmptyListIsNot() {
    ObjectNode wanted =
        intent("'metadata':{'name':'a','labels':{},'finalizers':[]},'spec':{'template':{}}");
    assertThat(fields(apply(null, wanted, "one"), "one"))
        .containsExactly(".metadata.labels", ".spec.template");
  }

  @Test
  void aStatusIsAppliedWithMetadata() {
    ObjectNode live = apply(null, Sample.job(), "one");
    ObjectNode wanted = intent("'metadata':{'name':'a','labels':{'n':'1'},'finalizers':['a/b']}");
    FieldManager status = new FieldManager("two", Operation.APPLY, "status", "batch/v1");
    ObjectNode applied =
        ServerSideApply.apply(live, wanted, status, false, LATER, DocumentShape.BUILT_IN);
    assertThat(applied.at("/metadata/labels")).isEqualTo(Sample.tree("{'app':'x','n':'1'}"));
    assertThat(fields(applied, "two"))
        .containsExactly(".metadata.finalizers[=\"a/b\"]", ".metadata.labels.n");
  }

  @Test
  void longListsTakeNoLongerThanTheyAre() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      names.add("c" + i);
    }
    ObjectNode live = apply(null, pod(containers(String.join(" ", names))), "one");
    ObjectNode wanted = pod(containers(String.join(" ", names.reversed())));
    ObjectNode reversed = apply(live, wanted, "two");
    assertThat(without(reversed)).isEqualTo(wanted);
    assertThat(apply(reversed, emptyPod(), "one").path("spec").path("containers"))
        .isEqualTo(reversed.path("spec").path("containers"));
  }

  /**
   * Appliers take turns with random configurations by force. Afterwards the object contains what
   * the last one listed, its entry lists exactly that, a repetition changes nothing, every owned
   * field exists, and an object without owners is empty.
   */
  @Test
  void whatIsAppliedIsThereAndOwned() {
    for (long seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      ObjectNode live = null;
      for (int turn = 0; turn < 8; turn++) {
        FieldManager manager = applier("m" + random.nextInt(3), emptyPod());
        ObjectNode wanted = randomPod(random);
        ObjectNode copy = live == null ? null : live.deepCopy();
        ObjectNode after =
            ServerSideApply.apply(
                live, wanted, manager, true, NOW.plusSeconds(turn), DocumentShape.BUILT_IN);
        assertThat(live).as("seed %d", seed).isEqualTo(copy);
        SchemaNode shape = SchemaNode.ofDocument(wanted);
        assertThat(AppliedConfiguration.merged(after, wanted, shape))
            .as("seed %d", seed)
            .isSameAs(after);
        assertThat(fields(after, manager.name()))
            .as("seed %d", seed)
            .containsExactlyInAnyOrderElementsOf(
                FieldPaths.of(FieldDifference.listed(wanted, shape)));
        assertThat(
                ServerSideApply.apply(after, wanted, manager, false, LATER, DocumentShape.BUILT_IN))
            .as("seed %d", seed)
            .isSameAs(after);
        assertThat(FieldPaths.of(FieldDifference.between(Json.object(), after, shape).changed()))
            .as("seed %d", seed)
            .containsAll(allOwned(after));
        live = after;
      }
      for (int i = 0; i < 3; i++) {
        live = apply(live, emptyPod(), "m" + i);
      }
      assertThat(live).as("seed %d", seed).isEqualTo(emptyPod());
    }
  }

  /**
   * Updaters and appliers take turns. Every owned field exists, the updater alone owns the fields
   * that it changes, and a forced field has no other owner unless it has the same value.
   */
  @Test
  void updatesAndAppliesKeepTheBooks() {
    for (long seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      ObjectNode live = apply(null, randomPod(random), "m0");
      for (int turn = 1; turn < 10; turn++) {
        ObjectNode wanted = randomPod(random);
        SchemaNode shape = SchemaNode.ofDocument(wanted);
        Instant now = NOW.plusSeconds(turn);
        ObjectNode after;
        String manager;
        if (random.nextBoolean() || ManagedFieldsTest.managers(live).isEmpty()) {
          manager = "m" + random.nextInt(3);
          after =
              ServerSideApply.apply(
                  live, wanted, applier(manager, wanted), true, now, DocumentShape.BUILT_IN);
        } else {
          manager = "u" + random.nextInt(3);
          after = wanted;
          FieldManager updater = new FieldManager(manager, Operation.UPDATE, "", "v1");
          ManagedFieldsTest.updated(live, after, updater, now);
        }
        List<String> all =
            FieldPaths.of(FieldDifference.between(without(live), without(after), shape).changed());
        List<String> changed =
            all.stream().filter(path -> all.stream().noneMatch(one -> isBelow(one, path))).toList();
        assertThat(fields(after, manager)).as("seed %d", seed).containsAll(changed);
        for (String other : ManagedFieldsTest.managers(after)) {
          if (!other.equals(manager) && !changed.isEmpty()) {
            assertThat(fields(after, other))
                .as("seed %d", seed)
                .doesNotContainAnyElementsOf(changed);
          }
        }
        assertThat(FieldPaths.of(FieldDifference.between(Json.object(), after, shape).changed()))
            .as("seed %d", seed)
            .containsAll(allOwned(after));
        live = after;
      }
    }
  }

  private static boolean isBelow(String path, String other) {
    return path.length() > other.length() && path.startsWith(other);
  }

  private static List<String> allOwned(ObjectNode object) {
    return ManagedFieldsTest.entries(object).stream()
        .flatMap(entry -> FieldPaths.of((ObjectNode) entry.path("fieldsV1")).stream())
        .toList();
  }

  private static ObjectNode randomPod(Random random) {
    ObjectNode pod = emptyPod();
    if (random.nextInt(4) == 0) {
      return pod;
    }
    ObjectNode spec = pod.putObject("spec");
    ObjectNode labels = ((ObjectNode) pod.path("metadata")).putObject("labels");
    labels.put("l" + random.nextInt(4), "v" + random.nextInt(2));
    ArrayNode finalizers = ((ObjectNode) pod.path("metadata")).putArray("finalizers");
    random.ints(2, 0, 5).distinct().forEach(i -> finalizers.add("f" + i));
    ArrayNode containers = spec.putArray("containers");
    random
        .ints(3, 0, 5)
        .distinct()
        .forEach(i -> {
          ObjectNode container = containers.addObject().put("name", "c" + i);
          if (random.nextBoolean()) {
            container.put("image", "i" + random.nextInt(3));
          }
          ArrayNode ports = container.putArray("ports");
          random
              .ints(2, 80, 83)
              .distinct()
              .forEach(port -> ports.addObject().put("containerPort", port).put("protocol", "TCP"));
        });
    return pod;
  }

  private static ObjectNode emptyPod() {
    return Sample.tree("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a'}}");
  }

  private static String containers(String names) {
    return "{'name':'" + String.join("'},{'name':'", names.split(" ")) + "'}";
  }

  private static ObjectNode pod(String containers) {
    return emptyPod().set("spec", Sample.tree("{'containers':[" + containers + "]}"));
  }

  /** Returns a Job with these members; a later "metadata" replaces the first. */
  private static ObjectNode intent(String members) {
    ObjectNode job = Sample.tree("{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'a'}}");
    return job.setAll(Sample.tree("{" + members + "}"));
  }

  private static ObjectNode apply(@Nullable ObjectNode live, ObjectNode intent, String manager) {
    return ServerSideApply.apply(
        live, intent, applier(manager, intent), false, NOW, DocumentShape.BUILT_IN);
  }

  private static ClusterException conflict(
      @Nullable ObjectNode live, ObjectNode intent, String manager) {
    return assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> apply(live, intent, manager))
        .actual();
  }

  private static FieldManager applier(String name) {
    return new FieldManager(name, Operation.APPLY, "", "batch/v1");
  }

  private static FieldManager applier(String name, ObjectNode intent) {
    return new FieldManager(name, Operation.APPLY, "", intent.path("apiVersion").asString(""));
  }

  private static List<String> fields(ObjectNode object, String manager) {
    return ManagedFieldsTest.fields(object, manager);
  }

  private static ObjectNode without(ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    ((ObjectNode) copy.path("metadata")).remove("managedFields");
    return copy;
  }
}
