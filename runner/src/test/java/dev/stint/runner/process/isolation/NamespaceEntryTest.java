package dev.stint.runner.process.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.harness.TestTime;
import dev.stint.model.KubeObject;
import dev.stint.runner.env.Variables;
import dev.stint.runner.proc.BlockingMemory;
import dev.stint.runner.proc.ProcessMemory;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.user.InheritedEnvironment;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.PodInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
class NamespaceEntryTest {
  private static final Command COMMAND =
      new Command(
          "/",
          "/bin/true",
          List.of("true"),
          InheritedEnvironment.of(Map.of()),
          Map.of(),
          Map.of(),
          Variables.of(Map.of()));

  @TempDir Path pods;

  private final TestTime time = new TestTime();
  private final BlockingMemory memory = new BlockingMemory();

  @AfterEach
  void letAllGo() {
    memory.unblockAll();
  }

  @Test
  void aContainerWhoseProcessesDoNotLetThemselvesBeReadIsNotEntered() throws Exception {
    Process shim =
        new ProcessBuilder("sh", "-c", "sleep 1000 & echo $!; wait", AttemptDir.SHIM_NAME, "owner")
            .start();
    try {
      int child = Integer.parseInt(shim.inputReader().readLine());
      memory.block(child);
      AttemptDir attempt = attempt(shim.pid());
      CompletableFuture<Command> entered = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> enter(attempt, entered));
      assertThat(memory.awaitBlocked()).isEqualTo(child);
      assertThat(memory.readers()).as("no carrier is held").noneMatch(Thread::isVirtual);
      time.advanceOnceArmed(Duration.ofSeconds(1));
      time.advanceOnceArmed(Duration.ofSeconds(1));
      assertThatThrownBy(entered::get)
          .hasRootCauseMessage("container main has processes whose command lines cannot be read");
    } finally {
      shim.descendants().forEach(ProcessHandle::destroyForcibly);
      shim.destroyForcibly();
    }
  }

  private void enter(AttemptDir attempt, CompletableFuture<Command> entered) {
    try {
      NamespaceEntry entry =
          new NamespaceEntry(MachineCapabilities.here(), new ProcessMemory(time, memory));
      entered.complete(entry.enter(run(), attempt, COMMAND));
    } catch (IOException fault) {
      entered.completeExceptionally(fault);
    }
  }

  private static ContainerRun run() {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.withObject("metadata").put("uid", "uid").put("name", "a");
    ObjectNode container = pod.withObject("spec").withArray("containers").addObject();
    container.put("name", "main");
    return new ContainerRun(KubeObject.of(pod), container, 0, false, PodInputs.NONE);
  }

  /** Makes the record of a container in a namespace, with the shim that runs it. */
  private AttemptDir attempt(long shim) throws IOException {
    AttemptDir attempt = AttemptDir.of(pods, "uid", "main", 0);
    attempt.create();
    Files.writeString(attempt.path().resolve("fstab"), "");
    Files.writeString(attempt.path().resolve("pid"), "uid " + shim + " boot owner\n");
    return attempt;
  }
}
