package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.StatusObjects;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.store.StoreOptions;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CreateTest {
  private final World world = new World();

  @Test
  void aCreatedObjectGetsItsIdentityFromTheApi() {
    KubeObject job = world.create(World.jobJson("pi"));
    assertThat(UUID.fromString(job.uid()).version()).isEqualTo(4);
    assertThat(job.creationTimestamp()).isEqualTo(World.START);
    assertThat(job.generation()).isEqualTo(1);
    assertThat(job.namespace()).isEqualTo("default");
    assertThat(job.resourceVersion()).isEqualTo("2");
    assertThat(world.get(World.job("pi")).tree()).isEqualTo(job.tree());
  }

  @Test
  void theDocumentHandedInIsNotChanged() {
    KubeObject wanted = World.document(World.jobJson("pi"));
    world.answer(world.api.create(wanted));
    assertThat(wanted.tree()).isEqualTo(World.tree(World.jobJson("pi")));
  }

  @Test
  void theStoreKeepsNoRevisionInTheDocument() {
    world.create(World.jobJson("pi"));
    byte[] value = world.store.list("/registry/batch/jobs/default/pi").entries().get(0).value();
    assertThat(Json.parse(value).path("metadata").has("resourceVersion")).isFalse();
  }

  @Test
  void whatOnlyTheApiSetsIsOverwritten() {
    KubeObject pod =
        world.create(
            World.podJson(
                "p",
                ", 'uid': 'mine', 'generation': 9, 'deletionTimestamp': '2020-01-01T00:00:00Z',"
                    + " 'creationTimestamp': '2020-01-01T00:00:00Z'"));
    assertThat(pod.uid()).isNotEqualTo("mine");
    assertThat(pod.generation()).isEqualTo(1);
    assertThat(pod.deletionTimestamp()).isNull();
    assertThat(pod.creationTimestamp()).isEqualTo(World.START);
  }

  @Test
  void aJobIsBornWithoutStatus() {
    KubeObject wanted =
        KubeObject.of(World.tree(World.jobJson("pi")).set("status", World.tree("{'active': 3}")));
    KubeObject job = world.answer(world.api.create(wanted));
    assertThat(job.status()).isEqualTo(Json.object());
  }

  @Test
  void aJobIsTiedToItsPods() {
    KubeObject job = world.create(World.jobJson("pi"));
    assertThat(job.tree().at("/spec/selector/matchLabels").get(Names.CONTROLLER_UID).asString())
        .isEqualTo(job.uid());
    assertThat(job.labels()).containsEntry(Names.JOB_NAME, "pi");
    assertThat(Json.integer(job.spec(), "backoffLimit")).isEqualTo(6);
  }

  @Test
  void allFaultsOfAJobAreReportedAtOnce() {
    var wanted = World.tree(World.jobJson("pi"));
    wanted.withObjectProperty("spec").put("completions", -1).put("parallelism", -1);
    var refusal = world.refusal(world.api.create(KubeObject.of(wanted)));
    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal.getMessage()).startsWith("Job.batch \"pi\" is invalid: [spec.");
    assertThat(refusal.causes())
        .extracting(fault -> fault.path())
        .containsExactlyInAnyOrder("spec.completions", "spec.parallelism");
  }

  @Test
  void aPodIsBornPending() {
    KubeObject pod = world.create(World.podJson("p", ""));
    assertThat(pod.status())
        .isEqualTo(World.tree("{'phase': 'Pending', 'qosClass': 'BestEffort'}"));
    assertThat(Json.text(pod.spec(), "nodeName")).isNull();
  }

  @Test
  void aPodIsBoundToTheOnlyNode() {
    World local = new World(ApiServer.Options.defaults().withNode("here"));
    KubeObject pod = local.create(World.podJson("p", ""));
    assertThat(Json.text(pod.spec(), "nodeName")).isEqualTo("here");
  }

  @Test
  void aPodWithGatesIsBoundOnceTheyAreGone() {
    World local = new World(ApiServer.Options.defaults().withNode("here"));
    String gates = "'spec': {'schedulingGates': [{'name': 'x.io/y'}],";
    KubeObject pod = local.create(World.podJson("p", "").replace("'spec': {", gates));
    assertThat(Json.text(pod.spec(), "nodeName")).isNull();
    assertThat(pod.tree().at("/status/conditions/0/reason").asString())
        .isEqualTo("SchedulingGated");
    assertThat(pod.tree().at("/status/conditions/0/lastTransitionTime"))
        .isEqualTo(pod.tree().at("/metadata/creationTimestamp"));
    KubeObject free = local.patch(World.pod("p"), "{'spec': {'schedulingGates': null}}");
    assertThat(Json.text(free.spec(), "nodeName")).isEqualTo("here");
  }

  @Test
  void aNameIsGenerated() {
    KubeObject one = world.create(World.configMapJson("", ", 'generateName': 'gen-'"));
    KubeObject other = world.create(World.configMapJson("", ", 'generateName': 'gen-'"));
    assertThat(one.name()).matches("gen-[bcdfghjklmnpqrstvwxz2456789]{5}");
    assertThat(other.name()).isNotEqualTo(one.name());
    String longest = "a".repeat(80);
    KubeObject cut = world.create(World.configMapJson("", ", 'generateName': '" + longest + "'"));
    assertThat(cut.name()).hasSize(63);
  }

  @Test
  void aNameOfTwoObjectsIsRefused() {
    world.create(World.jobJson("pi"));
    var refusal = world.refusal(world.api.create(World.document(World.jobJson("pi"))));
    assertThat(refusal.reason()).isEqualTo(Reason.ALREADY_EXISTS);
    assertThat(refusal).hasMessage("jobs.batch \"pi\" already exists");
  }

  @Test
  void ofTwoCreationsAtOnceOneWins() {
    var one = world.api.create(World.document(World.podJson("p", "")));
    var other = world.api.create(World.document(World.podJson("p", "")));
    assertThat(world.answer(one).name()).isEqualTo("p");
    assertThat(world.refusal(other)).hasMessage("pods \"p\" already exists");
  }

  @Test
  void whoReplacesWhatSomebodyCreatesMeanwhileUpdatesIt() {
    String role =
        "{'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': 'Role', 'metadata': {'name': 'r',"
            + " 'labels': {'by': '%s'}}, 'rules': []}";
    var first = world.api.update(World.document(role.formatted("one")));
    var second = world.api.update(World.document(role.formatted("two")));
    KubeObject created = world.answer(first);
    KubeObject updated = world.answer(second);
    assertThat(updated.uid()).isEqualTo(created.uid());
    assertThat(updated.labels()).containsEntry("by", "two");
  }

  @Test
  void whoAppliesWhatSomebodyCreatesMeanwhileAppliesToThat() {
    Registry registry = ((ApiServer) world.api).registry();
    List<CompletableFuture<Registry.Applied>> applied =
        Stream.of("one", "two")
            .map(label ->
                registry.apply(
                    UpdateTarget.MAIN,
                    World.configMap("a"),
                    live -> labelled(live, label),
                    WriteOptions.PLAIN))
            .toList();
    assertThat(world.answer(applied.getFirst()).created()).isTrue();
    Registry.Applied second = world.answer(applied.getLast());
    assertThat(second.created()).isFalse();
    assertThat(second.object().labels()).containsKeys("one", "two");
  }

  private static ObjectNode labelled(@Nullable ObjectNode live, String label) {
    ObjectNode object = live == null ? World.tree(World.configMapJson("a", "")) : live.deepCopy();
    object.withObjectProperty("metadata").withObjectProperty("labels").put(label, "");
    return object;
  }

  @Test
  void whoReplacesWhatSomebodyCreatesMeanwhileMustMeanThatOne() {
    String lease =
        "{'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': 'l'}}";
    var first = world.api.update(World.document(lease));
    var second = world.api.update(World.document(lease));
    world.answer(first);
    assertThat(world.refusal(second).reason()).isEqualTo(Reason.INVALID);
  }

  @Test
  void anObjectWithoutANameIsInvalid() {
    var refusal = world.refusal(world.api.create(World.document(World.configMapJson("", ""))));
    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal.causes()).extracting(fault -> fault.path()).containsExactly("metadata.name");
  }

  @Test
  void aNameThatWouldEscapeFromItsPlaceIsInvalid() {
    var name = world.refusal(world.api.create(World.document(World.configMapJson("a/b", ""))));
    assertThat(name.reason()).isEqualTo(Reason.INVALID);
    var namespace =
        world.refusal(
            world.api.create(World.document(World.configMapJson("a", ", 'namespace': '../x'"))));
    assertThat(namespace.reason()).isEqualTo(Reason.INVALID);
    assertThat(namespace.getMessage())
        .startsWith("ConfigMap \"a\" is invalid: metadata.namespace:");
  }

  @Test
  void aRevisionInANewObjectIsABadRequest() {
    var refusal =
        world.refusal(
            world.api.create(World.document(World.configMapJson("a", ", 'resourceVersion': '3'"))));
    assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST);
  }

  @Test
  void whatIsNoRevisionSaysNothingAndADryRunTakesAny() {
    for (String none : new String[] {"0", "x"}) {
      KubeObject made =
          world.create(World.configMapJson("a" + none, ", 'resourceVersion': '" + none + "'"));
      assertThat(made.resourceVersion()).isNotEqualTo(none);
    }
    KubeObject dry =
        world.answer(
            ((ApiServer) world.api)
                .registry()
                .create(
                    World.document(World.configMapJson("b", ", 'resourceVersion': '3'")),
                    WriteOptions.PLAIN.dry(true)));
    assertThat(dry.resourceVersion()).isEmpty();
  }

  @Test
  void aLinkToItselfIsNotKept() {
    KubeObject made = world.create(World.configMapJson("a", ", 'selfLink': '/x'"));
    assertThat(made.tree().path("metadata").has("selfLink")).isFalse();
  }

  @Test
  void anUnknownKindIsABadRequest() {
    var refusal =
        world.refusal(world.api.create(World.document("{'apiVersion': 'v9', 'kind': 'Ox'}")));
    assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(refusal).hasMessage("no matches for kind \"Ox\" in version \"v9\"");
  }

  @Test
  void aNamespaceMustExistWhereThatIsAsked() {
    World strict = new World(ApiServer.Options.defaults().withNamespacesThatExist());
    var document = World.document(World.configMapJson("a", ", 'namespace': 'team'"));
    assertThat(strict.refusal(strict.api.create(document)))
        .hasMessage("namespaces \"team\" not found");
    KubeObject team =
        strict.create("{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'team'}}");
    assertThat(team.labels()).containsEntry("kubernetes.io/metadata.name", "team");
    assertThat(strict.answer(strict.api.create(document)).namespace()).isEqualTo("team");
    assertThat(strict.create(World.configMapJson("b", "")).namespace()).isEqualTo("default");
  }

  @Test
  void aPodOfARuntimeClassIsRefusedInAClusterBeforeAnythingElse() {
    World strict = new World(ApiServer.Options.defaults().withNamespacesThatExist());
    String spec = "'spec': {'runtimeClassName': 'gvisor', 'dnsPolicy': 'x',";
    var document = World.document(World.podJson("p", "").replace("'spec': {", spec));
    var refusal = strict.refusal(strict.api.create(document));
    assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal)
        .hasMessage("pods \"p\" is forbidden: pod rejected: RuntimeClass \"gvisor\" not found");
    assertThat(world.refusal(world.api.create(document)).reason()).isEqualTo(Reason.INVALID);
  }

  @Test
  void aPodWithAnOverheadIsRefusedInAClusterAfterEverythingElse() {
    World strict = new World(ApiServer.Options.defaults().withNamespacesThatExist());
    String sound = "'spec': {'overhead': {'cpu': '1'},";
    String faulty = "'spec': {'overhead': {'cpu': '-1'},";
    var document = World.document(World.podJson("p", "").replace("'spec': {", sound));
    assertThat(strict.refusal(strict.api.create(document)).reason()).isEqualTo(Reason.FORBIDDEN);
    var other = World.document(World.podJson("p", "").replace("'spec': {", faulty));
    assertThat(strict.refusal(strict.api.create(other)).reason()).isEqualTo(Reason.INVALID);
  }

  @Test
  void anEmptyOverheadIsOneUntilThePodIsStored() {
    World strict = new World(ApiServer.Options.defaults().withNamespacesThatExist());
    String empty = "'spec': {'overhead': {},";
    var document = World.document(World.podJson("p", "").replace("'spec': {", empty));
    for (int i = 0; i < 2; i++) {
      assertThat(strict.refusal(strict.api.create(document)).reason()).isEqualTo(Reason.FORBIDDEN);
    }
    assertThat(world.answer(world.api.create(document)).tree().path("spec").has("overhead"))
        .isFalse();
  }

  @Test
  void aNamespaceOnItsWayOutTakesNothingNewAndSaysSoToControllers() {
    World strict = new World(ApiServer.Options.defaults().withNamespacesThatExist());
    KubeObject team =
        strict.create("{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'team'}}");
    strict.answer(strict.api.delete(team.ref(), DeleteOptions.only(team.uid())));
    var document = World.document(World.configMapJson("a", ", 'namespace': 'team'"));
    assertThat(StatusObjects.of(strict.refusal(strict.api.create(document))).get("details"))
        .isEqualTo(
            World.tree(
                """
                {'name': 'a', 'kind': 'configmaps', 'causes': [{'reason': 'NamespaceTerminating',
                  'message': 'namespace team is being terminated', 'field': 'metadata.namespace'}]}
                """));
  }

  @Test
  void privilegedContainersAreTakenUnlessTheServerIsToldNotTo() {
    World strict = new World(ApiServer.Options.defaults().withPrivilegedContainers(false));
    String container = "'containers': [{";
    String privileged = container + "'securityContext': {'privileged': true}, ";
    String pod = World.podJson("p", "").replace(container, privileged);
    String job = World.jobJson("j").replace(container, privileged);
    ObjectNode jobSpec = (ObjectNode) World.tree(job).get("spec");
    ObjectNode cronJob =
        World.tree(
            "{'apiVersion': 'batch/v1', 'kind': 'CronJob', 'metadata': {'name': 'c'}, 'spec': {'schedule': '@daily', 'jobTemplate': {}}}");
    cronJob.withObjectProperty("spec").withObjectProperty("jobTemplate").set("spec", jobSpec);
    for (String document : List.of(pod, job, cronJob.toString())) {
      world.create(document);
      var refusal = strict.refusal(strict.api.create(World.document(document)));
      assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
      assertThat(refusal)
          .hasMessageContaining("securityContext.privileged: Forbidden: disallowed by cluster");
    }
  }

  @Test
  void aSecretKeepsItsTextAsData() {
    KubeObject secret =
        world.create(
            "{'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 's'}, 'stringData': {'k':"
                + " 'v'}}");
    assertThat(secret.tree().path("data").path("k").asString()).isEqualTo("dg==");
    assertThat(secret.tree().has("stringData")).isFalse();
    assertThat(Json.text(secret.tree(), "type")).isEqualTo("Opaque");
  }

  @Test
  void anEventIsTaken() {
    KubeObject event =
        world.create(
            "{'apiVersion': 'v1', 'kind': 'Event', 'metadata': {'name': 'e'}, 'involvedObject':"
                + " {'kind': 'Job', 'name': 'pi'}, 'reason': 'R', 'type': 'Normal'}");
    assertThat(world.get(new ObjectRef(Kind.EVENT, "default", "e")).uid()).isEqualTo(event.uid());
    assertThat(event.generation()).isZero();
  }

  @Test
  void fieldsOfAFeatureThatIsOffAreDropped() {
    FeatureGates off = FeatureGates.DEFAULT.with(FeatureGates.Gate.JobManagedBy, false);
    World old = new World(ApiServer.Options.defaults(), StoreOptions.defaults(), off);
    var wanted = World.tree(World.jobJson("pi"));
    wanted.withObjectProperty("spec").put("managedBy", "example.com/mine");
    KubeObject job = old.answer(old.api.create(KubeObject.of(wanted)));
    assertThat(job.tree().path("spec").has("managedBy")).isFalse();
  }

  @Test
  void aStoreThatCannotWriteIsUnavailable() {
    world.engine.fail("no space left on device");
    var refusal = world.refusal(world.api.create(World.document(World.jobJson("pi"))));
    assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(refusal.getMessage()).contains("no space left on device").doesNotContain("\n");
    assertThat(refusal.isTransient()).isTrue();
    world.store.close();
    var closed = world.refusal(world.api.create(World.document(World.jobJson("pi"))));
    assertThat(closed.reason()).isEqualTo(Reason.UNAVAILABLE);
  }
}
