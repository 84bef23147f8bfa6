package dev.stint.runner.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.item.ItemText;
import dev.stint.runner.env.Variables;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.user.InheritedEnvironment;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HandlerProcessTest {
  private static final byte[] ITEM = {'c', 'a', 'f', (byte) 0xe9, '.', 'c', 's', 'v'};

  @TempDir private Path dir;

  @Test
  void aCommandHasItsDirectoryAndItsVariablesAndNoOthers() throws Exception {
    assertThat(HandlerProcess.run(sh("pwd >out; tr '\\0' '\\n' </proc/$$/environ >env; exit 4")))
        .isEqualTo(4);
    assertThat(dir.resolve("out")).hasContent(dir.toRealPath().toString());
    assertThat(new String(Files.readAllBytes(dir.resolve("env")), UTF_8).lines())
        .containsExactlyInAnyOrder("HOME=/home", "ITEM=caf\ufffd.csv", "OWN=it's", "db.password=1");
  }

  @Test
  void aVariableMayHaveAnyBytes() throws Exception {
    assertThat(HandlerProcess.run(sh("printf %s \"$ITEM\" >out"))).isZero();
    assertThat(Files.readAllBytes(dir.resolve("out"))).isEqualTo(ITEM);
  }

  @Test
  void aCommandLeadsASessionAndHasNoInput() throws Exception {
    assertThat(
            HandlerProcess.run(
                sh(
                    "read -r _ _ _ _ group session _ </proc/$$/stat; read -r _ && exit 1;"
                        + " [ $group = $$ ] && [ $session = $$ ]")))
        .isZero();
  }

  @Test
  void aScriptNeedsNoInterpreter() throws Exception {
    Path script = Files.writeString(dir.resolve("script"), "exit $1\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(HandlerProcess.run(command(script.toString(), "3"))).isEqualTo(3);
  }

  @Test
  void aMissingProgramHasTheExitCodeThatAShellGivesIt() throws Exception {
    assertThat(HandlerProcess.run(command(dir.resolve("none").toString()))).isEqualTo(127);
  }

  @Test
  void aSignalIsToldAsAShellDoes() throws Exception {
    assertThat(HandlerProcess.run(sh("kill -KILL $$"))).isEqualTo(137);
  }

  @Test
  void anInterruptKillsACommandWithAllThatItStarted() throws Exception {
    Path pipe = dir.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                result.complete(
                    HandlerProcess.run(sh("echo up >pipe; setsid sleep 1000 >pipe; :")));
              } catch (Exception fault) {
                result.completeExceptionally(fault);
              }
            });
    try (BufferedReader reader = Files.newBufferedReader(pipe)) {
      assertThat(reader.readLine()).isEqualTo("up");
    }
    // Both processes have it open until they end.
    try (BufferedReader reader = Files.newBufferedReader(pipe)) {
      thread.interrupt();
      assertThat(reader.readLine()).isNull();
    }
    thread.join();
    assertThat(result).isCompletedExceptionally();
  }

  private Command sh(String script) {
    return command("/bin/sh", "-c", script);
  }

  private Command command(String... argv) {
    return new Command(
        dir.toString(),
        argv[0],
        List.of(argv),
        InheritedEnvironment.of(Map.of("HOME", "/home", "OWN", "inherited")),
        Map.of("OWN", "it's", "ITEM", ItemText.of(ITEM)),
        Map.of("db.password", "1"),
        Variables.of(Map.of()));
  }
}
