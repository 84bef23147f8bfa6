package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.World;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class AcceptedPodsTest {
  private final World world = new World();
  private final ObjectNode template = World.tree(World.podJson("template", ""));

  @Test
  void aPodLikeOneBeforeIsStoredAsIfThatHadNotBeen() {
    ObjectNode first = create("a", spec -> spec.put("hostname", "job-0")).tree();
    ObjectNode second = create("b", spec -> spec.put("hostname", "job-1")).tree();
    ObjectNode alone =
        new World().create(Json.pretty(pod("b", spec -> spec.put("hostname", "job-1")))).tree();
    assertThat(second.path("spec").path("hostname").asString()).isEqualTo("job-1");
    assertThat(second.path("spec")).isEqualTo(alone.path("spec"));
    assertThat(second.path("status")).isEqualTo(alone.path("status"));
    assertThat(second.path("spec").path("containers"))
        .isSameAs(first.path("spec").path("containers"));
  }

  @Test
  void itsOwnPartsAreChecked() {
    create("a", spec -> spec.put("hostname", "job-0"));
    ClusterException hostname = refusal("b", spec -> spec.put("hostname", "Job_1"));
    assertThat(hostname.reason()).isEqualTo(Reason.INVALID);
    assertThat(hostname.getMessage()).contains("spec.hostname");
    assertThat(refusal("B_", spec -> spec.put("hostname", "job-1")).getMessage())
        .contains("metadata.name");
  }

  @Test
  void aPodThatDiffersElsewhereIsCheckedAsAny() {
    create("a", _ -> {});
    assertThat(refusal("b", spec -> spec.put("activeDeadlineSeconds", -1)).getMessage())
        .contains("spec.activeDeadlineSeconds");
    assertThat(refusal("b", spec -> spec.put("hostname", "Job_1")).getMessage())
        .contains("spec.hostname");
    assertThat(refusal("b", spec -> spec.remove("containers")).getMessage())
        .contains("spec.containers");
    KubeObject slow = create("c", spec -> spec.put("terminationGracePeriodSeconds", 5));
    assertThat(Json.integer(slow.spec(), "terminationGracePeriodSeconds")).isEqualTo(5);
  }

  @Test
  void aPodWhoseSpecDependsOnItsLabelsIsCompletedAlone() {
    KubeObject one = world.create(spread("a", "1"));
    KubeObject other = world.create(spread("b", "2"));
    String value = "/spec/topologySpreadConstraints/0/labelSelector/matchExpressions/0/values/0";
    assertThat(one.tree().at(value).asString()).isEqualTo("1");
    assertThat(other.tree().at(value).asString()).isEqualTo("2");
  }

  @Test
  void aPodWhoseAnnotationsChangeItsSpecIsCompletedAlone() {
    create("a", _ -> {});
    ObjectNode annotated = pod("b", _ -> {});
    annotated
        .withObjectProperty("metadata")
        .putObject("annotations")
        .put("container.apparmor.security.beta.kubernetes.io/main", "runtime/default");
    KubeObject alone = world.answer(world.api.create(KubeObject.of(annotated)));
    String profile = "/spec/containers/0/securityContext/appArmorProfile/type";
    assertThat(alone.tree().at(profile).asString()).isEqualTo("RuntimeDefault");
    assertThat(create("c", _ -> {}).tree().at(profile).isMissingNode()).isTrue();
  }

  @Test
  void aPodWithGatesIsNotLikeOthers() {
    Consumer<ObjectNode> gates =
        spec -> spec.putArray("schedulingGates").addObject().put("name", "a.io/g");
    create("a", gates);
    String since = "/status/conditions/0/lastTransitionTime";
    world.time.set(World.START.plusSeconds(60));
    assertThat(create("b", gates).tree().at(since).asString()).isEqualTo("2026-01-31T12:01:00Z");
  }

  private static String spread(String name, String index) {
    return World.podJson(name, ", 'labels': {'index': '" + index + "'}")
        .replace(
            "'spec': {",
            "'spec': {'topologySpreadConstraints': [{'maxSkew': 1, 'topologyKey': 'z',"
                + " 'whenUnsatisfiable': 'DoNotSchedule', 'labelSelector': {}, 'matchLabelKeys':"
                + " ['index']}],");
  }

  private KubeObject create(String name, Consumer<ObjectNode> change) {
    return world.answer(world.api.create(KubeObject.of(pod(name, change))));
  }

  private ClusterException refusal(String name, Consumer<ObjectNode> change) {
    return world.refusal(world.api.create(KubeObject.of(pod(name, change))));
  }

  /** Returns a changed copy that shares all unchanged parts. */
  private ObjectNode pod(String name, Consumer<ObjectNode> change) {
    ObjectNode pod = Json.copyOf(template);
    pod.set("metadata", Json.copyOf(Json.objectAt(template, "metadata")).put("name", name));
    ObjectNode spec = Json.copyOf(Json.objectAt(template, "spec"));
    change.accept(spec);
    pod.set("spec", spec);
    return pod;
  }
}
