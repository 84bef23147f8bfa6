package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.write.AuditAnnotations;
import dev.stint.apiserver.write.Warnings;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.podsecurity.LevelVersion;
import dev.stint.model.podsecurity.NamespacePolicy;
import dev.stint.model.podsecurity.PodSecurityLevel;
import dev.stint.model.podsecurity.PodSecuritySettings;
import dev.stint.model.podsecurity.PolicyVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Pods meet the level of their namespace, and users hear of templates that do not. */
class PodSecurityAdmissionTest {
  private static final String PREFIX = "pod-security.kubernetes.io/";
  private static final String SHARING =
      World.podJson("p", ", 'namespace': 'team'").replace("'spec': {", "'spec': {'hostPID': true,");
  private static final String SHARES = "\"baseline:latest\": host namespaces (hostPID=true)";

  private final World world = new World(ApiServer.Options.defaults().withNamespacesThatExist());
  private final Warnings warnings = new Warnings();
  private final AuditAnnotations annotations = new AuditAnnotations();
  private final WriteOptions options = WriteOptions.PLAIN.warning(warnings).of("jane", annotations);

  @Test
  void aNamespaceWithoutLabelsTakesEveryPod() {
    namespace("");
    assertThat(world.create(SHARING).name()).isEqualTo("p");
  }

  @Test
  void aPodBelowTheEnforcedLevelIsRefused() {
    namespace("'enforce': 'baseline'");
    var refusal = world.refusal(create(SHARING));
    assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal).hasMessage("pods \"p\" is forbidden: violates PodSecurity " + SHARES);
    assertThat(annotations.asMap()).containsEntry(PREFIX + "enforce-policy", "baseline:latest");
    assertThat(world.refusal(world.api.create(World.document(SHARING))).reason())
        .isEqualTo(Reason.FORBIDDEN);
  }

  @Test
  void aPodBelowAnotherLevelIsWarnedOfAndNoted() {
    namespace("'warn': 'baseline', 'audit': 'baseline'");
    world.answer(create(SHARING));
    assertThat(warnings.texts()).containsExactly("would violate PodSecurity " + SHARES);
    assertThat(annotations.asMap())
        .containsEntry(PREFIX + "audit-violations", "would violate PodSecurity " + SHARES);
  }

  @Test
  void templatesAreWarnedOf() {
    namespace("'enforce': 'baseline', 'warn': 'baseline'");
    Function<String, String> sharing =
        json ->
            json.replace("'spec': {'restartPolicy'", "'spec': {'hostPID': true, 'restartPolicy'");
    world.answer(create(sharing.apply(World.jobJson("j', 'namespace': 'team"))));
    assertThat(warnings.texts()).containsExactly("would violate PodSecurity " + SHARES);
    String cronJob =
        "{'apiVersion': 'batch/v1', 'kind': 'CronJob', 'metadata': {'name': 'c', 'namespace': 'team'},"
            + " 'spec': {'schedule': '@daily', 'jobTemplate': {'spec': {'template': {'spec':"
            + " {'hostIPC': true, 'restartPolicy': 'Never', 'containers': [{'name': 'a', 'image': 'i'}]}}}}}}";
    world.answer(create(cronJob));
    assertThat(warnings.texts())
        .last()
        .isEqualTo("would violate PodSecurity \"baseline:latest\": host namespaces (hostIPC=true)");
  }

  @Test
  void aPodFromBeforeMayChangeInWhatDoesNotMatter() {
    namespace("");
    KubeObject pod = world.create(SHARING);
    world.patch(new ObjectRef(Kind.NAMESPACE, "", "team"), labels("'enforce': 'restricted'"));
    world.patch(pod.ref(), "{'metadata': {'labels': {'a': 'b'}}}");
    world.answer(world.api.patchStatus(pod.ref(), World.tree("{'status': {'phase': 'Running'}}")));
    assertThat(
            world
                .refusal(
                    world.api.patch(
                        pod.ref(),
                        World.tree(
                            "{'spec': {'containers': [{'name': 'main', 'image': 'other',"
                                + " 'command': ['true']}]}}")))
                .reason())
        .isIn(Reason.FORBIDDEN, Reason.INVALID);
  }

  @Test
  void aNewLevelWarnsOfPodsThatViolateIt() {
    namespace("");
    world.create(SHARING);
    Registry registry = ((ApiServer) world.api).registry();
    KubeObject namespace = world.get(new ObjectRef(Kind.NAMESPACE, "", "team"));
    var tree = namespace.copy();
    tree.withObjectProperty("metadata")
        .withObjectProperty("labels")
        .put(PREFIX + "enforce", "baseline");
    world.answer(registry.replace(namespace.ref(), tree, options.dry(true)));
    assertThat(warnings.texts())
        .containsExactly(
            "existing pods in namespace \"team\" violate the new PodSecurity enforce level"
                + " \"baseline:latest\"",
            "p: host namespaces");
  }

  @Test
  void theServerHasADefaultAndExemptions() {
    LevelVersion baseline = new LevelVersion(PodSecurityLevel.BASELINE, PolicyVersion.LATEST);
    NamespacePolicy policy =
        new NamespacePolicy(baseline, LevelVersion.PRIVILEGED, LevelVersion.PRIVILEGED);
    World strict =
        new World(
            ApiServer.Options.defaults()
                .withNamespacesThatExist()
                .withPodSecurity(
                    new PodSecuritySettings(policy, Set.of("jane"), Set.of(), Set.of())));
    KubeObject pod = World.document(SHARING.replace("team", "default"));
    Registry registry = ((ApiServer) strict.api).registry();
    assertThat(strict.refusal(strict.api.create(pod)).reason()).isEqualTo(Reason.FORBIDDEN);
    strict.answer(registry.create(pod, options));
    assertThat(annotations.asMap()).containsExactly(Map.entry(PREFIX + "exempt", "user"));
  }

  private CompletableFuture<KubeObject> create(String json) {
    return ((ApiServer) world.api).registry().create(World.document(json), options);
  }

  private void namespace(String labels) {
    KubeObject document = World.document(labels(labels));
    var tree = document.copy().put("apiVersion", "v1").put("kind", "Namespace");
    tree.withObjectProperty("metadata").put("name", "team");
    world.answer(world.api.create(KubeObject.of(tree)));
  }

  private static String labels(String labels) {
    String full =
        List.of("enforce", "audit", "warn").stream()
            .reduce(labels, (text, mode) -> text.replace("'" + mode, "'" + PREFIX + mode));
    return "{'metadata': {'labels': {" + full + "}}}";
  }
}
