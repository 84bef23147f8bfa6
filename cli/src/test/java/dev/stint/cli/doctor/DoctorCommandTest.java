package dev.stint.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.model.Json;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class DoctorCommandTest {
  @TempDir private Path scratch = Path.of("");

  private Recorded run(int status, String... args) {
    Map<String, String> environment =
        Map.of("HOME", scratch.toString(), "PATH", System.getenv("PATH"));
    Recorded recorded = Recorded.of("", environment, false, StandardCharsets.UTF_8);
    assertThat(recorded.run(args))
        .as(() -> recorded.out() + "\n" + recorded.err())
        .isEqualTo(status);
    return recorded;
  }

  @Test
  void aMachineThatRunsAJobWorksAndNothingIsLeftBehind() throws Exception {
    JsonNode said =
        Json.parse(String.join("\n", run(0, "doctor", "--listen=127.0.0.1:0", "-o", "json").out()));
    assertThat(said.path("works").asBoolean()).isTrue();
    assertThat(said.path("findings").valueStream().map(each -> each.path("subject").asString()))
        .startsWith("system", "stint run", "file system")
        .contains(
            "control groups",
            "mounts",
            "limits",
            "pod users",
            "GPUs",
            "containers",
            "port of stint up");
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).as("the data directory is not made").isEmpty();
    }
  }

  @Test
  void faultsComeFirstAndEndWithStatus2() throws Exception {
    Path file = Files.createFile(scratch.resolve("file"));
    List<String> said = run(2, "doctor", "--data", file + "/data").out();
    assertThat(said)
        .contains("data directory: name another one with --data", "stint run does not work here")
        .anyMatch(line -> line.matches("FAULT +data directory +.*cannot be made: .*is a file"));
  }

  @Test
  void aConfiguredPlaceAndAMissingKubeconfigCostNoFinding() throws Exception {
    Path file = Files.createFile(scratch.resolve("file"));
    Path config = Files.createDirectories(scratch.resolve(".config/stint")).resolve("config.yaml");
    Files.writeString(config, "all: {data: %s/data, context: prod}\n".formatted(file));
    assertThat(run(2, "doctor").out())
        .anyMatch(line -> line.matches("FAULT +data directory +" + file + ".*"))
        .noneMatch(line -> line.contains("cluster"));
    assertThat(run(2, "doctor", "--kubeconfig", scratch + "/none").out())
        .anyMatch(line -> line.matches("FAULT +data directory +" + file + ".*"))
        .anyMatch(line -> line.matches("note +cluster +--kubeconfig .*/none.*"))
        .contains(
            "cluster: name another kubeconfig with --kubeconfig, or another context with"
                + " --context");
  }

  @Test
  void aPortInUseIsOnlyNoted() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      assertThat(run(0, "doctor", "--listen", address).out())
          .anyMatch(line -> line.matches("note +port of stint up +" + address + ": .*in use.*"))
          .contains(
              "port of stint up: nothing is to do if stint up listens there; else use stint up --listen 127.0.0.1:0");
    }
  }
}
