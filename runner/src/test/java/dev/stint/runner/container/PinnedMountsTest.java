package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.runner.file.Handle;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.volume.PodMounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PinnedMountsTest {
  @TempDir private Path directory = Path.of("");
  private PinnedMounts mounts = new PinnedMounts(Path.of(""));

  @BeforeEach
  void open() {
    MachineCapabilities machine = MachineCapabilities.here();
    assumeTrue(machine.identity().isRoot(), "NOT TESTED: takes root");
    assumeTrue(machine.whyNoMounts().isEmpty(), "NOT TESTED: mounts are impossible");
    mounts = new PinnedMounts(directory.resolve("pod/.mounts"));
  }

  @AfterEach
  void close() throws IOException {
    mounts.unpin();
  }

  private Path pinned() throws IOException {
    Path source = Files.createDirectories(directory.resolve("source"));
    Files.writeString(source.resolve("file"), "seen");
    PodMounts.Mounted mount =
        new PodMounts.Mounted(source, Path.of("/mnt"), false, false, Handle.open(source));
    return mounts.pin(List.of(mount), "main.0").getFirst().source();
  }

  @Test
  void whatWasOpenedIsMountedUntilTheContainerHasStarted() throws Exception {
    for (int i = 0; i < 2; i++) {
      Path place = pinned();
      assertThat(place.resolve("file")).hasContent("seen");
    }
    mounts.unpin();
    assertThat(mounts.dir().resolve("places")).isRegularFile();
    assertThat(directory.resolve("source/file")).hasContent("seen");
  }

  /** It would give the container an empty directory in place of its volume: Podman makes one. */
  @Test
  void aDaemonInAnotherMountNamespaceFindsNothingAndCanMakeNothing() throws Exception {
    Process daemon =
        new ProcessBuilder(
                "unshare", "--mount", "sh", "-c", "echo ready; read place && mkdir -p $place 2>&1")
            .redirectErrorStream(true)
            .start();
    try (var said = daemon.inputReader()) {
      assertThat(said.readLine()).isEqualTo("ready");
      daemon.outputWriter().append(pinned() + "\n").flush();
      assertThat(said.readLine()).contains("Not a directory");
    }
    assertThat(daemon.waitFor()).isNotZero();
  }

  @Test
  void whatAKilledStartLeftIsNotInTheWay() throws Exception {
    pinned();
    new PinnedMounts(mounts.dir()).unpin();
    assertThat(pinned().resolve("file")).hasContent("seen");
  }
}
