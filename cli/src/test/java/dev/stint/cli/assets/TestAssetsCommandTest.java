package dev.stint.cli.assets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.Recorded;
import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.output.UserException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The programs that it writes start the launcher, with the chosen controllers. */
class TestAssetsCommandTest {
  @TempDir private Path directory = Path.of("");

  private final Recorded recorded = Recorded.plain();

  @Test
  void theProgramsStartTheLauncher() throws Exception {
    Path launcher = launcher("it's a launcher");
    Path assets = directory.resolve("a/b");
    run(launcher.toString(), assets.toString());
    assertThat(recorded.out())
        .containsExactly(
            "Wrote etcd and kube-apiserver to " + assets,
            "For envtest: export KUBEBUILDER_ASSETS=" + assets);
    assertThat(start(assets.resolve("etcd"), "--help")).isEqualTo("etcd --help; none.");
    assertThat(start(assets.resolve("kube-apiserver"), "--a b", "*", ""))
        .isEqualTo("kube-apiserver --a b * ; none.");
  }

  @Test
  void theControllersAreThoseOfTheCommandUnlessAVariableNamesOthers() throws Exception {
    Path launcher = launcher("stint");
    run(launcher.toString(), "--stint-controllers=job,gc", directory.toString());
    Path program = directory.resolve("kube-apiserver");
    assertThat(start(program)).isEqualTo("kube-apiserver; job,gc.");
    assertThat(start(Map.of("STINT_CONTROLLERS", "ttl"), program))
        .isEqualTo("kube-apiserver; ttl.");
    assertThat(start(Map.of("STINT_CONTROLLERS", ""), program)).isEqualTo("kube-apiserver; .");
    run(launcher.toString(), directory.toString());
    assertThat(start(program)).as("written again").isEqualTo("kube-apiserver; none.");
  }

  @Test
  void nothingOfSomebodyElseIsReplaced() throws Exception {
    Path original = Files.writeString(directory.resolve("kube-apiserver"), "the original");
    assertThatThrownBy(() -> run("/stint", directory.toString()))
        .isInstanceOf(UserException.class)
        .hasMessage(original + " is another program; name an empty directory");
    assertThat(original).hasContent("the original");
    assertThat(directory.resolve("etcd")).doesNotExist();
  }

  @Test
  void itNeedsALauncherAndKnownControllers() {
    assertThatThrownBy(() -> run(null, directory.toString())).isInstanceOf(UserException.class);
    assertThatThrownBy(() -> run("/stint", directory.toString(), "--stint-controllers=x"))
        .hasMessageStartingWith("--stint-controllers: unknown controller \"x\"");
    assertThat(directory).isEmptyDirectory();
  }

  private void run(@Nullable String launcher, String... args) {
    TestAssetsCommand command = new TestAssetsCommand(recorded.console(), launcher);
    FlagConverters.register(new CommandLine(command)).parseArgs(args);
    assertThat(command.call()).isZero();
  }

  /** Writes a launcher that only tells its arguments and the controllers. */
  private Path launcher(String name) throws Exception {
    Path file = directory.toRealPath().resolve(name);
    Files.writeString(file, "#!/bin/sh\necho \"$*; $STINT_CONTROLLERS.\"\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String start(Path program, String... args) throws Exception {
    return start(Map.of(), program, args);
  }

  private static String start(Map<String, String> variables, Path program, String... args)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(program.toString());
    builder.command().addAll(List.of(args));
    builder.environment().remove("STINT_CONTROLLERS");
    builder.environment().putAll(variables);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return out.strip();
  }
}
