package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.Names;
import org.junit.jupiter.api.Test;

class PlanExecutorTest {
  private static String untracking(String... finalizers) {
    PodBuilder pod =
        PodBuilder.named("p").uid("u").metadata("'resourceVersion':'7'").finalizers(finalizers);
    return PlanExecutor.untracking(PodView.of(pod.build())).toString();
  }

  private static String json(String text) {
    return Json.parse(text.replace('\'', '"')).toString();
  }

  @Test
  @Covers("TR-09")
  void onlyOurFinalizerIsRemovedAndOnlyOfThePodThatWasSeen() {
    assertThat(untracking(Names.TRACKING_FINALIZER))
        .isEqualTo(json("{'metadata':{'uid':'u','resourceVersion':'7','finalizers':null}}"));
    assertThat(untracking("a/b", Names.TRACKING_FINALIZER, "c/d"))
        .isEqualTo(
            json("{'metadata':{'uid':'u','resourceVersion':'7','finalizers':['a/b','c/d']}}"));
  }
}
