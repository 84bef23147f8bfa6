package dev.stint.runner.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostPathsTest {
  @TempDir Path dir;
  private Path open;
  private HostPaths paths;

  @BeforeEach
  void allowOne() throws IOException {
    dir = dir.toRealPath();
    open = Files.createDirectory(dir.resolve("open"));
    paths = new HostPaths(List.of(open, Path.of("/dev/null")));
  }

  @Test
  void pathsAreCheckedForTheirType() throws Exception {
    Path file = Files.writeString(open.resolve("file"), "");
    assertThat(location(file, "File")).isEqualTo(file);
    assertThatThrownBy(() -> location(file, "Directory"))
        .hasMessage("hostPath " + file + " of volume \"v\" is not of type Directory");
    assertThat(location(Path.of("/dev/null"), "CharDevice")).isEqualTo(Path.of("/dev/null"));
  }

  @Test
  void missingPathsAreMadeIfTheirTypeSaysSo() throws Exception {
    Path missing = open.resolve("a/b");
    assertThatThrownBy(() -> location(missing, ""))
        .hasMessage("hostPath " + missing + " of volume \"v\" does not exist");
    assertThatThrownBy(() -> location(missing, "FileOrCreate"))
        .hasMessageStartingWith("the parent directory of hostPath " + missing);
    assertThat(location(missing, "DirectoryOrCreate")).isEqualTo(missing).isDirectory();
    Path file = missing.resolve("f");
    assertThat(location(file, "FileOrCreate")).isEqualTo(file).isRegularFile();
  }

  @Test
  void aLinkThatAPodHasMadeIsNotFollowedOutOfTheAllowedPaths() throws Exception {
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Path link = Files.createSymbolicLink(open.resolve("link"), outside);
    assertThatThrownBy(() -> location(link, ""))
        .isInstanceOf(VolumeFault.class)
        .hasMessage(
            "hostPath %s of volume \"v\" leads to %s, which is not below a path that pods may use"
                + " (--host-path): %s",
            link, outside, paths.allowed());
    for (String type : List.of("DirectoryOrCreate", "FileOrCreate")) {
      assertThatThrownBy(() -> location(link.resolve("new"), type))
          .as(type)
          .hasMessageContaining("which is not below");
    }
    assertThatThrownBy(() -> location(link.resolve("new/deep"), "DirectoryOrCreate"))
        .hasMessageContaining("which is not below");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void aLinkWithinTheAllowedPathsIsFollowed() throws Exception {
    Path inner = Files.createDirectory(open.resolve("inner"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), open);
    assertThat(location(link.resolve("inner"), "Directory")).isEqualTo(inner);
  }

  /** A pod that has the outer one as its volume can put the link there. */
  @Test
  void anAllowedPathThatBecomesALinkAllowsNothingElse() throws Exception {
    Path inner = Files.createDirectory(open.resolve("inner"));
    Path outside = Files.createDirectory(dir.resolve("outside"));
    paths = new HostPaths(List.of(open, inner));
    Files.delete(inner);
    Files.createSymbolicLink(inner, outside);
    assertThatThrownBy(() -> location(inner, "")).hasMessageContaining("leads to " + outside);
  }

  @Test
  void aPathBelowTheDirectoryOfAClaimCanBeReplaced() {
    ClaimDirs claims = new ClaimDirs(Map.of("data", dir), Path.of("volumes"));
    assertThat(new HostPaths(List.of(open), claims).mayBeReplaced(open)).isTrue();
    assertThat(new HostPaths(List.of(open), claims).mayBeReplaced(dir)).isFalse();
  }

  @Test
  void onlyAPathBelowAnAllowedOneCanBeReplaced() throws Exception {
    assertThat(paths.mayBeReplaced(open)).isFalse();
    assertThat(paths.mayBeReplaced(open.resolve("a"))).isTrue();
    assertThat(new HostPaths(List.of(open, dir)).mayBeReplaced(open)).isTrue();
    Path link = Files.createSymbolicLink(open.resolve("link"), dir);
    assertThat(paths.mayBeReplaced(link)).as("a link that a pod has put there for now").isTrue();
  }

  private Path location(Path path, String type) throws IOException, VolumeFault {
    try (Handle handle = paths.open("v", new HostPaths.Source(path, type))) {
      return handle.location();
    }
  }
}
