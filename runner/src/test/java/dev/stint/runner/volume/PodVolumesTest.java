package dev.stint.runner.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodVolumesTest {
  @TempDir Path dir;
  private final List<String> mounts = new ArrayList<>();
  private final PodVolumes.Memory memory =
      new PodVolumes.Memory() {
        @Override
        public void mount(Path directory, @Nullable Long bytes) {
          mounts.add(directory.getFileName() + " " + bytes);
        }

        @Override
        public void unmount(Path directory) {
          mounts.remove(directory.getFileName() + " 7");
        }
      };

  @Test
  void filesHaveTheirModesWhateverTheMask() throws Exception {
    Path volume = volumes(null).make("v", files(file("a/b", 0666), file("c", 0400)));
    assertThat(volume.resolve("a/b")).hasContent("a/b");
    assertThat(mode(volume.resolve("a/b"))).isEqualTo(0666);
    assertThat(mode(volume.resolve("c"))).isEqualTo(0400);
    assertThat(mode(volume.resolve("a"))).isEqualTo(0755);
  }

  @Test
  void aVolumeIsMadeOnce() throws Exception {
    Path first = volumes(null).make("v", files(file("a", 0644)));
    Path second = volumes(null).make("v", files(file("b", 0644)));
    assertThat(second).isEqualTo(first);
    assertThat(second).isDirectoryContaining("glob:**/a").isDirectoryNotContaining("glob:**/b");
  }

  @Test
  void anotherBootWritesFilesAnewWhichALossOfPowerMayHaveEmptied() throws Exception {
    Path lost = volumes(null).make("v", files(file("a", 0644)));
    Files.writeString(lost.resolve("a"), "");
    Path own = volumes(null).make("scratch", new VolumeContent.Scratch(false, null));
    Files.writeString(own.resolve("work"), "done");
    PodVolumes next = volumes("next", null);
    assertThat(next.made("v")).isEmpty();
    assertThat(next.make("v", files(file("a", 0644))).resolve("a")).hasContent("a");
    assertThat(next.make("scratch", new VolumeContent.Scratch(false, null)).resolve("work"))
        .hasContent("done");
  }

  @Test
  void tokensOfContainersThatAnEarlierVersionStartedAreReplacedToo() throws Exception {
    Path volume = Files.createDirectories(dir.resolve("volumes/v"));
    Files.writeString(volume.resolve("t"), "old");
    volumes(null).replace("v", List.of(new VolumeFile("t", 0600, "new", false)));
    assertThat(volume.resolve("t")).hasContent("new");
  }

  @Test
  void aFileIsReplacedAsAWhole() throws Exception {
    PodVolumes volumes = volumes(null);
    volumes.replace("v", List.of(file("t", 0600)));
    assertThat(dir.resolve("volumes")).doesNotExist();
    Path volume = volumes.make("v", files(new VolumeFile("d/t", 0644, "old", false)));
    volumes.replace("v", List.of(new VolumeFile("d/t", 0600, "new", false)));
    assertThat(volume.resolve("d/t")).hasContent("new");
    assertThat(mode(volume.resolve("d/t"))).isEqualTo(0600);
    try (java.util.stream.Stream<Path> all = Files.walk(dir.resolve("volumes"))) {
      assertThat(all.filter(Files::isRegularFile)).containsExactly(volume.resolve("d/t"));
    }
    assertThatThrownBy(() -> volumes.replace("v", List.of(file("../t", 0600))))
        .hasMessageContaining("is not a valid path in a volume");
  }

  @Test
  void aVolumeThatACrashLeftIncompleteIsMadeAgain() throws Exception {
    Files.createDirectories(dir.resolve("volumes/.v/old/older"));
    Path volume = volumes(null).make("v", files(file("a", 0644)));
    assertThat(volume).isDirectoryContaining("glob:**/a").isDirectoryNotContaining("glob:**/old");
  }

  @Test
  void theFsGroupMayReadFilesAndWriteDirectories() throws Exception {
    long own = ((Number) Files.getAttribute(dir, "unix:gid")).longValue();
    Path files = volumes(own).make("v", files(file("a", 0400)));
    assertThat(mode(files.resolve("a"))).isEqualTo(0440);
    assertThat(mode(volumes(own).make("scratch", new VolumeContent.Scratch(false, null))))
        .isEqualTo(02777);
  }

  /** Without root, a program can give files to its own groups only. */
  @Test
  void othersHaveTheRightsOfAnFsGroupThatCannotBeSet() throws Exception {
    PodVolumes volumes = volumes("boot", new VolumeGroup(2000, false));
    Path files = volumes.make("v", files(file("d/a", 0400)));
    assertThat(mode(files.resolve("d/a"))).isEqualTo(0444);
    assertThat(mode(files.resolve("d"))).isEqualTo(0755);
    assertThat(Files.getAttribute(files, "unix:gid"))
        .isEqualTo(Files.getAttribute(dir, "unix:gid"));
    assertThat(mode(volumes.make("scratch", new VolumeContent.Scratch(false, null))))
        .isEqualTo(0777);
  }

  @Test
  void memoryIsMountedAndUnmounted() throws Exception {
    PodVolumes volumes = volumes(null);
    volumes.make("m", new VolumeContent.Scratch(true, 7L));
    assertThat(mounts).containsExactly("m 7");
    volumes.unmount();
    assertThat(mounts).isEmpty();
  }

  @Test
  void whatAContainerLinksToDoesNotCount() throws Exception {
    PodVolumes volumes = volumes(null);
    Path volume = volumes.make("v", new VolumeContent.Scratch(false, null));
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Files.write(outside.resolve("large"), new byte[4096]);
    Files.createSymbolicLink(volume.resolve("link"), outside);
    assertThat(volumes.isLarger("v", 1024)).isFalse();
    Files.write(volume.resolve("own"), new byte[4096]);
    assertThat(volumes.isLarger("v", 1024)).isTrue();
  }

  private PodVolumes volumes(@Nullable Long group) {
    return volumes("boot", VolumeGroup.of(group, true));
  }

  private PodVolumes volumes(String boot, @Nullable VolumeGroup group) {
    return new PodVolumes(dir.resolve("volumes"), boot, group, memory);
  }

  private static VolumeContent files(VolumeFile... files) {
    return new VolumeContent.Files(List.of(files));
  }

  private static VolumeFile file(String path, int mode) {
    return new VolumeFile(path, mode, path, false);
  }

  private static int mode(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode") & 07777;
  }
}
