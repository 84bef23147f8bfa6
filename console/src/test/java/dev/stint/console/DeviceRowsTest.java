package dev.stint.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.jobs.ApiCalls;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class DeviceRowsTest {
  @TempDir private Path directory;
  private ConsoleTestBed bed;

  @BeforeEach
  void open() {
    bed = new ConsoleTestBed(directory);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void node() {
    KubeObject made =
        ApiCalls.await(
            bed.cluster()
                .create(
                    KubeObject.of(
                        Json.parse(
                            """
                            {"apiVersion":"v1","kind":"Node","metadata":{"name":"here"}}
                            """))));
    ApiCalls.await(
        bed.cluster()
            .patchStatus(
                made.ref(),
                Json.parse(
                    """
                    {"status":{"capacity":{"example.com/gpu":"4"},
                               "allocatable":{"example.com/gpu":"4"}}}
                    """)));
  }

  private void pod(String name) {
    ApiCalls.await(
        bed.cluster()
            .create(
                KubeObject.of(
                    Json.parse(
                        """
                        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default",
                          "labels":{"batch.kubernetes.io/job-name":"train"},
                          "annotations":{"stint.dev/devices":"{\\"example.com/gpu\\":[\\"2\\"]}"}},
                         "spec":{"containers":[{"name":"main","image":"busybox"}]}}
                        """
                            .formatted(name)))));
  }

  @Test
  void devicesNameThePodsThatHaveThem() throws Exception {
    node();
    try (DeviceRows rows = new DeviceRows(bed.options(bed.logs()), () -> {})) {
      rows.start();
      JsonNode free = rows.take().getFirst().data().at("/devices/0");
      assertThat(free.get("resource").stringValue()).isEqualTo("example.com/gpu");
      assertThat(free.get("count").intValue()).isEqualTo(4);
      assertThat(free.get("holders")).isEmpty();
      assertThat(rows.take()).isEmpty();
      pod("train-0-x");
      bed.settle();
      assertThat(rows.take().getFirst().data().at("/devices/0/holders/0"))
          .asString()
          .contains("\"id\":\"2\"", "\"pod\":\"train-0-x\"", "\"job\":\"train\"");
    }
  }

  @Test
  void withoutDevicesThereIsNothingToTell() {
    try (DeviceRows rows = new DeviceRows(bed.options(bed.logs()), () -> {})) {
      rows.start();
      pod("train-0-x");
      assertThat(rows.take()).isEmpty();
    }
  }

  @Test
  void devicesOfAnotherClusterAreNotShown() {
    node();
    try (DeviceRows rows = new DeviceRows(bed.options(null), () -> {})) {
      rows.start();
      assertThat(rows.take()).isEmpty();
    }
  }
}
