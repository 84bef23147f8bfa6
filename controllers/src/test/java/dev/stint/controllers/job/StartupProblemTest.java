package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartupProblemTest {
  private static String problem(String status) {
    return StartupProblem.of(
        KubeObject.of(Json.parse(("{'status':" + status + "}").replace('\'', '"'))));
  }

  @Test
  void aWaitingContainerTellsMoreThanTheSchedule() {
    assertThat(
            problem(
                "{'conditions':[{'type':'PodScheduled','status':'False','reason':'Unschedulable'}],"
                    + "'containerStatuses':[{'state':{'waiting':{'reason':'ErrImagePull',"
                    + "'message':'no such image'}}}]}"))
        .isEqualTo("ErrImagePull: no such image");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{}; ``",
        "{'conditions':[{'type':'PodScheduled','status':'True'}]}; ``",
        "{'conditions':[{'type':'PodScheduled','status':'False'}]}; Unschedulable",
        "{'initContainerStatuses':[{'state':{'waiting':{'reason':'PodInitializing'}}}]}; ``",
        "{'containerStatuses':[{'state':{'waiting':{'reason':'ContainerCreating',"
            + "'message':'waits for config map x'}}}]}; ContainerCreating: waits for config map x"
      })
  void whatIsKnownIsTold(String status, String problem) {
    assertThat(problem(status)).isEqualTo(problem);
  }

  @Test
  void aLongMessageIsCut() {
    assertThat(
            problem(
                "{'conditions':[{'type':'PodScheduled','status':'False','message':'"
                    + "x".repeat(2000)
                    + "'}]}"))
        .hasSize(500);
  }
}
