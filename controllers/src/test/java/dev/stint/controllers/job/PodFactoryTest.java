package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.PodPlan;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobSpec;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A pod is as its Job's template says, and the controller adds to it. */
class PodFactoryTest {
  private static final String INDEX = "batch.kubernetes.io/job-completion-index";
  private static final String INDEXED = "'completionMode':'Indexed','completions':5,";
  private static final String TEMPLATE =
      "'template':{'metadata':{'labels':{'a':'b'},'annotations':{'c':'d'},'finalizers':['x/y']},"
          + "'spec':{'initContainers':[{'name':'first'}],'containers':["
          + "{'name':'main','env':[{'name':'A','value':'1'}]},"
          + "{'name':'own','env':[{'name':'JOB_COMPLETION_INDEX','value':'7'}]}]}}";

  private static KubeObject job(String name, String spec) {
    String job =
        "{'apiVersion':'batch/v1','kind':'Job','metadata':{'namespace':'ns','name':'%s',"
            + "'uid':'u'},'spec':{%s}}";
    return KubeObject.of(Json.parse(job.formatted(name, spec).replace('\'', '"')));
  }

  private static PodFactory factory(KubeObject job) {
    return new PodFactory(job, JobSpec.read(Objects.requireNonNull(job.spec())));
  }

  private static PodPlan plan(int index) {
    return new PodPlan(index, PodPlan.NOT_COUNTED, 0, true, List.of());
  }

  private static JsonNode json(String text) {
    return Json.parse("{'it':%s}".formatted(text).replace('\'', '"')).path("it");
  }

  @Test
  @Covers({"TR-01", "BI-16"})
  void aPodOfAnIndexSaysWhichOneItIs() {
    KubeObject pod =
        factory(job("j", INDEXED + TEMPLATE))
            .create(new PodPlan(3, 2, 1, true, List.of()), "j-3-abcde");
    assertThat(pod.tree().path("metadata"))
        .isEqualTo(
            json(
                "{'namespace':'ns','name':'j-3-abcde','generateName':'j-3-',"
                    + "'labels':{'a':'b','"
                    + INDEX
                    + "':'3'},'annotations':{'c':'d','"
                    + INDEX
                    + "':'3','batch.kubernetes.io/job-index-failure-count':'2',"
                    + "'batch.kubernetes.io/job-index-ignored-failure-count':'1'},"
                    + "'finalizers':['x/y','batch.kubernetes.io/job-tracking'],"
                    + "'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'j',"
                    + "'uid':'u','controller':true,'blockOwnerDeletion':true}]}"));
    assertThat(pod.specText("hostname")).isEqualTo("j-3");
  }

  @Test
  void eachContainerHasTheIndexInItsEnvironmentUnlessItSetsIt() {
    JsonNode spec = factory(job("j", INDEXED + TEMPLATE)).create(plan(3), "p").tree().path("spec");
    JsonNode main = spec.path("containers").path(0).path("env");
    assertThat(main.path(0)).isEqualTo(json("{'name':'A','value':'1'}"));
    for (JsonNode variable : List.of(main.path(1), spec.at("/initContainers/0/env/0"))) {
      assertThat(variable.path("name").asString()).isEqualTo("JOB_COMPLETION_INDEX");
      assertThat(variable.at("/valueFrom/fieldRef/fieldPath").asString())
          .isEqualTo("metadata.labels['" + INDEX + "']");
    }
    assertThat(spec.at("/containers/1/env"))
        .isEqualTo(json("[{'name':'JOB_COMPLETION_INDEX','value':'7'}]"));
  }

  @Test
  void failuresAreOnlyNotedWhereTheyAreCounted() {
    KubeObject pod = factory(job("j", INDEXED + TEMPLATE)).create(plan(3), "p");
    assertThat(pod.tree().path("metadata").path("annotations"))
        .isEqualTo(json("{'c':'d','" + INDEX + "':'3'}"));
    KubeObject first =
        factory(job("j", INDEXED + TEMPLATE)).create(new PodPlan(3, 0, 0, true, List.of()), "p");
    assertThat(first.annotation("batch.kubernetes.io/job-index-failure-count")).isEqualTo("0");
    assertThat(first.annotation("batch.kubernetes.io/job-index-ignored-failure-count")).isNull();
  }

  @Test
  void aPodWithoutAnIndexIsAsItsTemplateSays() {
    KubeObject job = job("j", TEMPLATE);
    KubeObject pod = factory(job).create(plan(PodView.NO_INDEX), "j-abcde");
    JsonNode template = job.tree().path("spec").path("template");
    assertThat(pod.tree().path("spec")).isEqualTo(template.path("spec"));
    for (String member : List.of("labels", "annotations")) {
      assertThat(pod.tree().path("metadata").path(member))
          .isEqualTo(template.path("metadata").path(member));
    }
    assertThat(pod.tree().path("metadata").path("generateName").asString()).isEqualTo("j-");
  }

  /** A template may be a part of what kubectl prints; an API refuses such members of a new pod. */
  @Test
  void aPodHasOnlyLabelsAnnotationsAndFinalizersOfItsTemplate() {
    String template =
        TEMPLATE.replace(
            "'metadata':{",
            "'metadata':{'name':'n','generateName':'g','namespace':'other','uid':'v',"
                + "'resourceVersion':'7','creationTimestamp':'2026-01-01T00:00:00Z',"
                + "'deletionGracePeriodSeconds':5,'managedFields':[{}],");
    assertThat(factory(job("j", template)).create(plan(PodView.NO_INDEX), "p").tree())
        .isEqualTo(factory(job("j", TEMPLATE)).create(plan(PodView.NO_INDEX), "p").tree());
  }

  @Test
  @Covers("TR-33")
  void withoutTrackingAPodHasTheFinalizersOfItsTemplate() {
    KubeObject pod =
        factory(job("j", TEMPLATE))
            .create(new PodPlan(PodView.NO_INDEX, PodPlan.NOT_COUNTED, 0, false, List.of()), "p");
    assertThat(pod.finalizers()).containsExactly("x/y");
  }

  @Test
  void theHostnameOfTheTemplateStays() {
    String template = TEMPLATE.replace("'spec':{", "'spec':{'hostname':'h',");
    KubeObject pod = factory(job("j", INDEXED + template)).create(plan(0), "p");
    assertThat(pod.specText("hostname")).isEqualTo("h");
  }

  @Test
  void aLongNameIsCutSoThatTheSuffixFits() {
    String name = "n".repeat(63);
    PodFactory factory = factory(job(name, TEMPLATE));
    assertThat(factory.prefix(plan(PodView.NO_INDEX))).isEqualTo("n".repeat(57) + "-");
    assertThat(factory.prefix(plan(12345))).isEqualTo("n".repeat(51) + "-12345-");
  }

  @Test
  void podsAndTheirTemplateDoNotChangeEachOther() {
    KubeObject job = job("j", INDEXED + TEMPLATE);
    String before = job.tree().toString();
    PodFactory factory = factory(job);
    KubeObject first = factory.create(plan(0), "p");
    String made = first.tree().toString();
    factory.create(plan(1), "q");
    assertThat(first.tree()).hasToString(made);
    assertThat(job.tree()).hasToString(before);
  }
}
