package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The differences between kinds when objects are created and replaced. */
class KindRulesTest {
  private static final String LEASE =
      "{'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease',"
          + " 'metadata': {'name': 'l', 'namespace': 'default'}, 'spec': {}}";
  private static final String EVENT =
      "{'apiVersion': 'v1', 'kind': 'Event', 'involvedObject': {'namespace': 'default'},"
          + " 'metadata': {'name': 'No Name', 'namespace': 'default'}}";

  private final World world = new World();
  private final Registry registry = ((ApiServer) world.api).registry();

  @Test
  void aLeaseThatIsReplacedIsCreatedWhereThereIsNone() {
    ObjectRef ref = new ObjectRef(Kind.LEASE, "default", "l");
    var first = world.answer(registry.replace(ref, World.tree(LEASE), WriteOptions.PLAIN));
    assertThat(first.created()).isTrue();
    var again = world.answer(registry.replace(ref, first.object().tree(), WriteOptions.PLAIN));
    assertThat(again.created()).isFalse();
  }

  @Test
  void whoNamesAUidMeansAnObjectThatIsThere() {
    ObjectNode lease = World.tree(LEASE);
    lease.withObjectProperty("metadata").put("uid", "u").put("resourceVersion", "7");
    assertThat(world.refusal(world.api.update(KubeObject.of(lease.deepCopy()))).reason())
        .isEqualTo(Reason.CONFLICT);
    lease.withObjectProperty("metadata").remove("uid");
    assertThat(world.answer(world.api.update(KubeObject.of(lease))).resourceVersion())
        .isNotEqualTo("7");
  }

  @Test
  void aConfigMapThatIsReplacedMustBeThere() {
    var map = World.document(World.configMapJson("m", ""));
    assertThat(world.refusal(world.api.update(map)).reason()).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void anUpdateOfALeaseSaysOnWhatItIsBased() {
    world.create(LEASE);
    var refusal = world.refusal(world.api.update(World.document(LEASE)));
    assertThat(refusal.causes())
        .extracting(FieldError::path)
        .containsExactly("metadata.resourceVersion");
  }

  @Test
  void whereNothingHasANamespaceItIsForgotten() {
    String json =
        "{'apiVersion': 'scheduling.k8s.io/v1', 'kind': 'PriorityClass', 'value': 1,"
            + " 'metadata': {'name': 'p', 'namespace': 'x'}}";
    KubeObject created = world.create(json);
    assertThat(created.namespace()).isEmpty();
    assertThat(created.generation()).isEqualTo(1);
    assertThat(world.answer(world.api.update(World.document(json))).namespace()).isEmpty();
  }

  @Test
  void aRevisionIsRefusedOfANewObjectUnlessNothingIsWritten() {
    ObjectNode map = World.tree(World.configMapJson("m", ", 'resourceVersion': '5'"));
    var wanted = KubeObject.of(map);
    assertThat(world.refusal(registry.create(wanted, WriteOptions.PLAIN)).reason())
        .isEqualTo(Reason.BAD_REQUEST);
    assertThat(world.answer(registry.create(wanted, WriteOptions.PLAIN.dry(true))).name())
        .isEqualTo("m");
  }

  @Test
  void aSelfLinkIsNeverStored() {
    KubeObject map = world.create(World.configMapJson("m", ", 'selfLink': '/x'"));
    assertThat(map.tree().path("metadata").has("selfLink")).isFalse();
    ObjectNode linked = map.copy();
    linked.withObjectProperty("metadata").put("selfLink", "/x");
    KubeObject updated = world.answer(world.api.update(KubeObject.of(linked)));
    assertThat(updated.tree().path("metadata").has("selfLink")).isFalse();
    assertThat(updated.resourceVersion()).isEqualTo(map.resourceVersion());
  }

  @Test
  void anEventHasTheRulesOfTheGroupByWhichItComes() {
    KubeObject event = World.document(EVENT);
    WriteOptions modern = WriteOptions.PLAIN.seenAs(Kind.EVENTS_EVENT);
    assertThat(world.refusal(registry.create(event, modern)).causes())
        .extracting(FieldError::path)
        .contains("metadata.name", "eventTime", "type");
    KubeObject created = world.answer(registry.create(event, WriteOptions.PLAIN));
    assertThat(Json.text(created.tree(), "reportingComponent")).isEmpty();
    var changed = created.copy().put("message", "m");
    var refused =
        registry.update(
            UpdateTarget.MAIN, created.ref(), Preconditions.NONE, _ -> changed.deepCopy(), modern);
    assertThat(world.refusal(refused).causes())
        .extracting(FieldError::path)
        .containsExactly("message");
    assertThat(world.answer(world.api.update(KubeObject.of(changed))).tree().path("message"))
        .isEqualTo(changed.get("message"));
  }

  @Test
  void thereIsOneDefaultPriorityClass() {
    String json =
        "{'apiVersion': 'scheduling.k8s.io/v1', 'kind': 'PriorityClass', 'value': 1,"
            + " 'globalDefault': %s, 'metadata': {'name': '%s'}}";
    KubeObject first = world.create(json.formatted(true, "first"));
    KubeObject second = world.create(json.formatted(false, "second"));
    assertThat(world.answer(world.api.update(first)).name()).isEqualTo("first");
    KubeObject marked = KubeObject.of(second.copy().put("globalDefault", true));
    assertThat(world.refusal(world.api.update(marked)))
        .hasMessageEndingWith(
            "PriorityClass first is already marked as default. Only one default can exist");
    var third = world.api.create(World.document(json.formatted(true, "third")));
    assertThat(world.refusal(third).reason()).isEqualTo(Reason.FORBIDDEN);
  }

  @Test
  void aServiceAccountsSecretsAreNamesOnly() {
    KubeObject account =
        world.create(
            "{'apiVersion': 'v1', 'kind': 'ServiceAccount', 'metadata': {'name': 's', 'namespace':"
                + " 'default'}, 'secrets': [{'name': 'a', 'kind': 'Secret', 'uid': 'u'}]}");
    assertThat(account.tree().get("secrets"))
        .isEqualTo(World.tree("{'s': [{'name': 'a'}]}").get("s"));
  }

  @Test
  void aNamespaceHasItsNameAsALabelWhichIsCheckedUnlessItIsGenerated() {
    String namespace = "{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'%s': '%s'}}";
    KubeObject generated = world.create(namespace.formatted("generateName", "gen-"));
    assertThat(generated.labels()).containsEntry("kubernetes.io/metadata.name", generated.name());
    assertThat(paths(namespace.formatted("name", "a b")))
        .contains("metadata.labels", "metadata.name");
    assertThat(paths(namespace.formatted("generateName", "a b"))).doesNotContain("metadata.labels");
  }

  private List<String> paths(String json) {
    return world.refusal(world.api.create(World.document(json))).causes().stream()
        .map(FieldError::path)
        .toList();
  }
}
