package dev.stint.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerClientTest {
  private static final Path JDK = Path.of(System.getProperty("java.home"));

  @TempDir private Path directory;

  /** Stands for Maven. */
  private final Process build = startBuild();

  private BuildState state;

  @BeforeEach
  void prepare() throws IOException {
    state = new BuildState(directory);
    Prepare.compile(Path.of("src", "main", "java"), Files.createDirectories(state.classes()));
    state.prepare(JDK, build.toHandle());
  }

  private static Process startBuild() {
    try {
      return new ProcessBuilder("cat").start();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  @AfterEach
  void end() throws Exception {
    Optional<ServerAddress> server = state.server();
    build.destroyForcibly().waitFor();
    if (server.isPresent()) {
      awaitEnd(server.get());
    }
  }

  /**
   * Waits until the server has ended, which this process started, and checks that it cleaned up.
   */
  private static void awaitEnd(ServerAddress server) throws Exception {
    CompletableFuture.allOf(
            ProcessHandle.current()
                .children()
                .map(ProcessHandle::onExit)
                .toArray(CompletableFuture[]::new))
        .get(60, TimeUnit.SECONDS);
    assertThat(server.socket().getParent()).doesNotExist();
  }

  private int compile(String name, String source, Path plugins) throws IOException {
    Path file = Files.writeString(directory.resolve(name + ".java"), source);
    Path arguments = directory.resolve("arguments");
    Files.write(
        arguments,
        List.of(
            "\"-d\"",
            "\"" + directory + "\"",
            "\"-classpath\"",
            "\"" + directory + "\"",
            "\"-processorpath\"",
            "\"" + plugins + "\"",
            "\"" + file + "\""));
    return new CompilerClient(state)
        .compile(List.of("@" + arguments, "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
  }

  @Test
  void oneServerCompilesWhatIsRightAndRefusesTheRest() throws IOException {
    Path plugins = directory.resolve("plugins");
    assertThat(compile("A", "class A {}", plugins)).isZero();
    assertThat(directory.resolve("A.class")).exists();
    Optional<ServerAddress> first = state.server();
    assertThat(compile("B", "class B { int c = \"\"; }", plugins)).isEqualTo(1);
    assertThat(compile("C", "class C { A a; }", directory.resolve("plugins-and-more"))).isZero();
    assertThat(state.server()).isEqualTo(first);
  }

  @Test
  void otherPluginsNeedAnotherJavac() throws IOException {
    assertThat(compile("A", "class A {}", directory.resolve("plugins"))).isZero();
    assertThat(compile("B", "class B {}", directory.resolve("others")))
        .isEqualTo(CompilerClient.NO_SERVER);
  }

  @Test
  void onlySourcesNeedAServer() throws IOException {
    assertThat(new CompilerClient(state).compile(List.of("-version")))
        .isEqualTo(CompilerClient.NO_SERVER);
    assertThat(state.server()).isEmpty();
  }

  @Test
  void theServerEndsWithTheBuildAndNoOtherIsStarted() throws Exception {
    assertThat(compile("A", "class A {}", directory.resolve("plugins"))).isZero();
    build.destroyForcibly().waitFor();
    awaitEnd(state.server().orElseThrow());
    assertThat(compile("B", "class B {}", directory.resolve("plugins")))
        .isEqualTo(CompilerClient.NO_SERVER);
  }

  @Test
  void withoutTheServerJavacCompiles() throws Exception {
    Path left = Files.createFile(directory.resolve("socket"));
    state.record(new ServerAddress(left, directory.resolve("plugins").toString()));
    assertThat(compile("A", "class A {}", directory.resolve("plugins")))
        .isEqualTo(CompilerClient.NO_SERVER);
    state.prepare(JDK, build.toHandle());
    assertThat(compile("A", "class A {}", directory.resolve("plugins"))).isZero();
  }
}
