package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.quota.QuotaDecision.ObjectChange;
import dev.stint.store.AccompanyingWrites;
import dev.stint.store.Entries;
import dev.stint.store.Entry;
import dev.stint.store.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Quotas are never exceeded, and their status always says what is used. */
class NamespaceQuotasTest {
  private static final ObjectRef QUOTA = new ObjectRef(Kind.RESOURCE_QUOTA, "default", "q");

  private static final DeleteOptions NOW = new DeleteOptions(null, 0L, null);

  private final World world = new World();

  @Test
  void twoHundredCreationsAtOnceDoNotExceedAQuota() {
    limit("'pods': '30', 'count/pods': '50'");
    List<CompletableFuture<KubeObject>> creations = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      creations.add(world.api.create(PodBuilder.named("p" + i).build()));
    }
    world.settle();
    List<CompletableFuture<KubeObject>> refused =
        creations.stream().filter(CompletableFuture::isCompletedExceptionally).toList();
    assertThat(refused).hasSize(170);
    assertThat(world.refusal(refused.getFirst()))
        .hasMessage(
            "pods \"p30\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=30,"
                + " limited: pods=30")
        .extracting(ClusterException::reason)
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(world.answer(world.api.list(Kind.POD, "default")).items()).hasSize(30);
    assertThat(used()).isEqualTo("{\"count/pods\":\"30\",\"pods\":\"30\"}");
  }

  @Test
  void generatedNamesCountOnceEach() {
    limit("'pods': '2'");
    String pod = World.podJson("", ", 'generateName': 'p-'").replace("'name': '', ", "");
    world.create(pod);
    world.create(pod);
    assertThat(world.refusal(world.api.create(World.document(pod))).reason())
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(used()).isEqualTo("{\"pods\":\"2\"}");
  }

  @Test
  void theEndAndTheRemovalOfAPodFreeWhatItUsed() {
    limit("'pods': '2', 'count/pods': '2'");
    world.create(PodBuilder.named("a"));
    world.create(PodBuilder.named("b"));
    world.answer(
        world.api.patchStatus(World.pod("a"), World.tree("{'status': {'phase': 'Succeeded'}}")));
    assertThat(used()).isEqualTo("{\"count/pods\":\"2\",\"pods\":\"1\"}");
    world.answer(world.api.delete(World.pod("a"), NOW));
    assertThat(used()).isEqualTo("{\"count/pods\":\"1\",\"pods\":\"1\"}");
    world.answer(world.api.delete(World.pod("b"), NOW));
    assertThat(used()).isEqualTo("{\"count/pods\":\"0\",\"pods\":\"0\"}");
  }

  @Test
  void whatWasThereBeforeTheQuotaCounts() {
    world.create(World.configMapJson("a", ""));
    world.create(World.configMapJson("b", ""));
    limit("'configmaps': '2'");
    assertThat(world.refusal(world.api.create(World.document(World.configMapJson("c", "")))))
        .hasMessage(
            "configmaps \"c\" is forbidden: exceeded quota: q, requested: configmaps=1, used:"
                + " configmaps=2, limited: configmaps=2");
  }

  @Test
  void aNewLimitHoldsAtOnce() {
    limit("'count/configmaps': '1'");
    world.create(World.configMapJson("a", ""));
    world.patch(QUOTA, "{'spec': {'hard': {'count/configmaps': '2'}}}");
    world.create(World.configMapJson("b", ""));
    assertThat(used()).isEqualTo("{\"count/configmaps\":\"2\"}");
  }

  /** Its status has those limits, too, but tells of the objects that there were then. */
  @Test
  void aLimitThatIsBackHoldsAtOnce() {
    limit("'configmaps': '2'");
    world.create(World.configMapJson("a", ""));
    world.patch(QUOTA, "{'spec': {'hard': {'configmaps': null, 'pods': '1'}}}");
    world.create(World.configMapJson("b", ""));
    world.patch(QUOTA, "{'spec': {'hard': {'configmaps': '2', 'pods': null}}}");
    assertThat(world.refusal(world.api.create(World.document(World.configMapJson("c", "")))))
        .hasMessageContaining("used: configmaps=2, limited: configmaps=2");
  }

  @Test
  void aTrialIsRefusedAndCountsNothing() {
    limit("'configmaps': '1'");
    Registry registry = ((ApiServer) world.api).registry();
    KubeObject map = World.document(World.configMapJson("a", ""));
    world.answer(registry.create(map, WriteOptions.PLAIN.dry(true)));
    world.create(World.configMapJson("b", ""));
    assertThat(world.refusal(registry.create(map, WriteOptions.PLAIN.dry(true))).reason())
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(used()).isEqualTo("{\"configmaps\":\"1\"}");
  }

  @Test
  void aNameThatIsTakenCountsNothing() {
    limit("'configmaps': '5'");
    world.create(World.configMapJson("a", ""));
    assertThat(
            world.refusal(world.api.create(World.document(World.configMapJson("a", "")))).reason())
        .isEqualTo(Reason.ALREADY_EXISTS);
    assertThat(used()).isEqualTo("{\"configmaps\":\"1\"}");
  }

  @Test
  void quotasOfOtherNamespacesHaveNoSay() {
    limit("'configmaps': '0'");
    KubeObject elsewhere = world.create(World.configMapJson("a", ", 'namespace': 'other'"));
    assertThat(elsewhere.namespace()).isEqualTo("other");
  }

  @Test
  void quotasCountThemselves() {
    limit("'resourcequotas': '1'");
    assertThat(
            world
                .refusal(world.api.create(World.document(quota("second", "'pods': '1'"))))
                .getMessage())
        .contains("exceeded quota: q");
  }

  @Test
  void aQuotaThatCountsItselfCanBeDeleted() {
    limit("'resourcequotas': '5'");
    world.create(quota("second", "'resourcequotas': '5'"));
    world.answer(world.api.delete(QUOTA, NOW));
    KubeObject second = world.get(new ObjectRef(Kind.RESOURCE_QUOTA, "default", "second"));
    assertThat(second.tree().at("/status/used/resourcequotas").asString()).isEqualTo("1");
    assertThat(world.refusal(world.api.get(QUOTA)).reason()).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void aCreationThatRacesADeletionIsCharged() {
    limit("'configmaps': '1'");
    world.create(World.configMapJson("a", ""));
    CompletableFuture<?> deletion = world.api.delete(World.configMap("a"), NOW);
    CompletableFuture<?> creation = world.api.create(World.document(World.configMapJson("a", "")));
    world.settle();
    assertThat(deletion).isCompleted();
    assertThat(creation).isCompletedWithValueMatching(Objects::nonNull);
    assertThat(used()).isEqualTo("{\"configmaps\":\"1\"}");
  }

  @Test
  void aQuotaThatIsCreatedWhileAWriteWaitsHolds() {
    CompletableFuture<?> quota = world.api.create(World.document(quota("q", "'configmaps': '0'")));
    CompletableFuture<KubeObject> creation =
        world.api.create(World.document(World.configMapJson("a", "")));
    world.settle();
    assertThat(quota).isCompletedWithValueMatching(Objects::nonNull);
    assertThat(world.refusal(creation).getMessage()).contains("exceeded quota: q");
  }

  @Test
  void refusedCreationsCountTheNamespaceOnce() throws Exception {
    for (int i = 0; i < 5; i++) {
      world.create(World.configMapJson("c" + i, ""));
    }
    limit("'configmaps': '5'");
    SharedObjects shared = new SharedObjects(16);
    NamespaceQuotas quotas = new NamespaceQuotas(shared, () -> TestCatalogue.BUILT_IN);
    List<String> lists = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      refused(quotas, lists);
    }
    assertThat(lists).filteredOn(prefix -> prefix.contains("configmaps")).hasSize(1);
    world.patch(QUOTA, "{'spec': {'hard': {'configmaps': '4'}}}");
    refused(quotas, lists);
    assertThat(lists).filteredOn(prefix -> prefix.contains("configmaps")).hasSize(2);
  }

  private void refused(NamespaceQuotas quotas, List<String> lists) {
    ObjectNode map = World.tree(World.configMapJson("new", ""));
    AccompanyingWrites usage =
        quotas.about(
            World.configMap("new"),
            () -> new ObjectChange(Kind.CONFIG_MAP, null, map),
            world.store.entries());
    assertThatThrownBy(() -> usage.decide(listed(world.store.entries(), lists)))
        .isInstanceOf(RefusedException.class);
  }

  private static Entries listed(Entries entries, List<String> lists) {
    return new Entries() {
      @Override
      public @Nullable Entry get(String key) {
        return entries.get(key);
      }

      @Override
      public boolean hasPrefix(String prefix) {
        return entries.hasPrefix(prefix);
      }

      @Override
      public List<Entry> list(String prefix) {
        lists.add(prefix);
        return entries.list(prefix);
      }
    };
  }

  private void limit(String hard) {
    world.create(quota("q", hard));
  }

  private static String quota(String name, String hard) {
    return "{'apiVersion': 'v1', 'kind': 'ResourceQuota', 'metadata': {'name': '%s', 'namespace': 'default'}, 'spec': {'hard': {%s}}}"
        .formatted(name, hard);
  }

  private String used() {
    return world.get(QUOTA).tree().at("/status/used").toString();
  }
}
