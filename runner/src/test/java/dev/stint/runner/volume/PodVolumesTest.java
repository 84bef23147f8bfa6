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

  @Test
  void memoryIsMountedAndUnmounted() throws Exception {
    PodVolumes volumes = volumes(null);
    volumes.make("m", new VolumeContent.Scratch(true, 7L));
    assertThat(mounts).containsExactly("m 7");
    volumes.unmount();
    assertThat(mounts).isEmpty();
  }

  @Test
  void aMissingSubPathIsMadeAndNeverLeadsOutside() throws Exception {
    Path volume = volumes(null).make("v", new VolumeContent.Scratch(false, null));
    assertThat(PodVolumes.part(volume, mount("a/b"))).isEqualTo(volume.toRealPath().resolve("a/b"));
    assertThat(volume.resolve("a/b")).isDirectory();
    Files.createSymbolicLink(volume.resolve("out"), dir);
    Files.writeString(volume.resolve("file"), "");
    for (String part : List.of("..", "out", "out/new", "../v/../..")) {
      assertThatThrownBy(() -> PodVolumes.part(volume, mount(part)))
          .as(part)
          .isInstanceOf(VolumeFault.class)
          .hasMessageEndingWith("leads out of the volume");
    }
    assertThatThrownBy(() -> PodVolumes.part(volume, mount("file/in")))
        .isInstanceOf(VolumeFault.class)
        .hasMessageContaining("through a file");
    assertThat(dir.resolve("new")).doesNotExist();
  }

  @Test
  void pathsOfTheMachineAreCheckedForTheirType() throws Exception {
    PodVolumes volumes = volumes(null);
    Path file = Files.writeString(dir.resolve("file"), "");
    assertThat(volumes.make("v", new VolumeContent.HostPath(file, "File"))).isEqualTo(file);
    assertThatThrownBy(() -> volumes.make("v", new VolumeContent.HostPath(file, "Directory")))
        .hasMessage("hostPath " + file + " of volume \"v\" is not of type Directory");
    Path missing = dir.resolve("missing");
    assertThatThrownBy(() -> volumes.make("v", new VolumeContent.HostPath(missing, "")))
        .hasMessage("hostPath " + missing + " of volume \"v\" does not exist");
    volumes.make("v", new VolumeContent.HostPath(missing, "DirectoryOrCreate"));
    assertThat(missing).isDirectory();
    volumes.make("v", new VolumeContent.HostPath(missing.resolve("f"), "FileOrCreate"));
    assertThat(missing.resolve("f")).isRegularFile();
    assertThat(volumes.make("v", new VolumeContent.HostPath(Path.of("/dev/null"), "CharDevice")))
        .isEqualTo(Path.of("/dev/null"));
  }

  private PodVolumes volumes(@Nullable Long group) {
    return new PodVolumes(dir.resolve("volumes"), group, memory);
  }

  private static VolumeMount mount(String part) {
    return new VolumeMount("v", Path.of("/v"), part, false);
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
