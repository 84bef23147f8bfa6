package dev.stint.cli.plane;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.output.UserException;
import dev.stint.runner.process.user.InheritedNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class NestedDirsTest {
  @TempDir Path dir;
  private Path outer;
  private Path inner;

  @BeforeEach
  void makeDirectories() throws IOException {
    dir = dir.toRealPath();
    outer = Files.createDirectory(dir.resolve("outer"));
    inner = Files.createDirectory(outer.resolve("inner"));
  }

  @Test
  void aLinkWithinAnotherDirectoryIsRefused() throws IOException {
    checked("--host-path", outer, "--volume-dir", "data=" + inner);
    Files.delete(inner);
    Files.createSymbolicLink(inner, Path.of("/etc"));
    String message =
        ": a link in it leads to /etc; pods that have %s as a volume may have made it, so name /etc"
            + " itself, or remove the link";
    assertThatThrownBy(() -> checked("--host-path", outer, "--volume-dir", "data=" + inner))
        .isInstanceOf(UserException.class)
        .hasMessage("--volume-dir data" + message.formatted(outer));
    assertThatThrownBy(() -> checked("--volume-dir", "data=" + outer, "--host-path", inner))
        .isInstanceOf(UserException.class)
        .hasMessage("--host-path " + inner + message.formatted(outer));
  }

  @Test
  void aLinkToTheDirectoriesIsTheUsersOwn() throws IOException {
    Path link = Files.createSymbolicLink(dir.resolve("link"), outer);
    checked("--host-path", link, "--volume-dir", "data=" + link.resolve("inner"));
    checked("--host-path", outer, "--volume-dir", "data=" + link.resolve("inner"));
    checked("--host-path", link, "--host-path", link);
  }

  private static void checked(Object... flags) {
    NodeOptions options = new NodeOptions();
    String[] words = java.util.Arrays.stream(flags).map(String::valueOf).toArray(String[]::new);
    FlagConverters.register(new CommandLine(options)).parseArgs(words);
    options.pods(InheritedNames.FEW);
  }
}
