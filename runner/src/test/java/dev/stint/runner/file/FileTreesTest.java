package dev.stint.runner.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.runner.process.command.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FileTreesTest {
  @TempDir Path dir;

  @Test
  void aTreeIsDeletedWithoutWhatItLinksTo() throws Exception {
    Path outside = Files.createDirectories(dir.resolve("outside"));
    Files.writeString(outside.resolve("file"), "");
    Path tree = Files.createDirectories(dir.resolve("tree/a/b"));
    Files.createSymbolicLink(tree.resolve("link"), outside);
    Files.createSymbolicLink(dir.resolve("tree/broken"), Path.of("nowhere"));
    Files.writeString(tree.resolve("file"), "");
    FileTrees.delete(dir.resolve("tree"));
    assertThat(dir.resolve("tree")).doesNotExist();
    assertThat(outside.resolve("file")).exists();
  }

  @Test
  void aLinkOrAFileIsDeletedItself() throws Exception {
    Path outside = Files.createDirectories(dir.resolve("outside/in"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), outside);
    FileTrees.delete(link);
    FileTrees.delete(Files.writeString(dir.resolve("file"), ""));
    FileTrees.delete(dir.resolve("missing"));
    FileTrees.delete(dir.resolve("missing/deep"));
    assertThat(dir.toFile().list()).containsExactly("outside");
    assertThat(outside).exists();
  }

  @Test
  void aDirectoryThatAContainerHasClosedIsDeleted() throws Exception {
    Path inner = Files.createDirectories(dir.resolve("tree/closed/in"));
    Files.setAttribute(inner.getParent(), "unix:mode", 0);
    FileTrees.delete(dir.resolve("tree"));
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aDeepTreeIsDeletedAndCountsAsLarge() throws Exception {
    Path tree = Files.createDirectory(dir.resolve("tree"));
    // A container may take the names to which deep directories are moved.
    Files.createDirectories(tree.resolve(".stint-removed-0/in"));
    Files.writeString(tree.resolve(".stint-removed-1"), "");
    try (Handle whole = Handle.open(tree);
        Handle deepest = whole.makeBeneath(Path.of("directory/".repeat(3000)), 0755)) {
      deepest.createFile("file");
    }
    assertThat(FileTrees.isLarger(tree, 1 << 20)).isTrue();
    FileTrees.delete(tree);
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void namesNeedNotBeText() throws Exception {
    shell("mkdir tree; mkdir \"$(printf 'tree/a\\377')\"; echo >\"$(printf 'tree/a\\377/\\200')\"");
    FileTrees.delete(dir.resolve("tree"));
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aLargeDirectoryIsDeleted() throws Exception {
    shell("mkdir tree; cd tree; seq 10000 | xargs touch");
    FileTrees.delete(dir.resolve("tree"));
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aMountIsNeverEntered() throws Exception {
    assumeTrue(isRoot(), "only root can mount");
    Path outside = Files.createDirectories(dir.resolve("outside"));
    Files.write(outside.resolve("file"), new byte[4096]);
    Path place = Files.createDirectories(dir.resolve("tree/place"));
    assertThat(Posix.bind(outside.toString(), place.toString())).isZero();
    try {
      assertThatThrownBy(() -> FileTrees.delete(dir.resolve("tree")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is a mount");
      assertThat(FileTrees.isLarger(dir.resolve("tree"), 1024)).isFalse();
    } finally {
      assertThat(Posix.unmount(place.toString())).isZero();
    }
    assertThat(outside.resolve("file")).exists();
    FileTrees.delete(dir.resolve("tree"));
  }

  @Test
  void allElseIsDeletedIfSomethingCannotBe() throws Exception {
    assumeTrue(isRoot(), "only root can mount");
    shell("mkdir -p outside tree/stuck tree/in/stuck; cd tree; seq 5000 | xargs touch");
    shell("cd tree; seq 100 | sed s/^/in-/ | xargs mkdir; cd in; seq 100 | xargs mkdir");
    List<Path> places = List.of(dir.resolve("tree/stuck"), dir.resolve("tree/in/stuck"));
    for (Path place : places) {
      assertThat(Posix.bind(dir.resolve("outside").toString(), place.toString())).isZero();
    }
    try {
      assertThatThrownBy(() -> FileTrees.delete(dir.resolve("tree")))
          .hasMessageContaining("is a mount");
      assertThat(dir.resolve("tree").toFile().list()).containsExactlyInAnyOrder("stuck", "in");
      assertThat(dir.resolve("tree/in").toFile().list()).containsExactly("stuck");
    } finally {
      places.forEach(place -> assertThat(Posix.unmount(place.toString())).isZero());
    }
    FileTrees.delete(dir.resolve("tree"));
    assertThat(dir.resolve("tree")).doesNotExist();
  }

  @Test
  void onlyARegularFileIsOpened() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    try (var channel = Handle.channel(file, StandardOpenOption.READ)) {
      assertThat(channel.size()).isEqualTo(4);
    }
    shell("mkfifo pipe; ln -s file link");
    for (String other : List.of("pipe", "link", ".")) {
      assertThatThrownBy(() -> Handle.channel(dir.resolve(other), StandardOpenOption.READ).close())
          .as(other)
          .isInstanceOf(IOException.class);
    }
  }

  private void shell(String... commands) throws Exception {
    List<String> argv = List.of("sh", "-c", String.join("\n", Arrays.asList(commands)));
    assertThat(new ProcessBuilder(argv).directory(dir.toFile()).inheritIO().start().waitFor())
        .isZero();
  }

  private static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }
}
