package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.runner.PodCluster;
import dev.stint.runner.process.shim.CompiledShim;
import dev.stint.runner.process.shim.ShimProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The same tests with the compiled shim instead of shells. */
class ProcessStartCompiledTest extends ProcessStartTest {
  @Override
  ShimProgram shim() {
    return CompiledShim.program();
  }

  /** Another program between, such as env, would get the variable as an argument. */
  @Test
  void theShimItselfSetsVariablesWhoseNamesNoShellKnows() throws Exception {
    live();
    Path script = Files.writeString(dir.resolve("script"), "#!/no/such/interpreter\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    ObjectNode pod = PodCluster.newPod("a", script.toString());
    container(pod).putArray("env").addObject().put("name", "odd.name-1").put("value", "kept");
    cluster.put(pod);
    cluster.whenPhase("a", "Failed").get();
    assertThat(Json.text(terminated("a"), "message"))
        .isEqualTo("cannot run \"" + script + "\": it or its interpreter was not found");
  }
}
