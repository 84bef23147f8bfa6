package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.PodCluster;
import dev.stint.runner.file.FileTrees;
import dev.stint.runner.file.Handle;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.shim.ShimProgram;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.spec.PodInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A process of a pod replaces a directory by a link to somewhere else, and back, as fast as it can,
 * while Stint mounts, makes or removes what is there. {@code -Draces=10000} runs more races.
 */
@Timeout(3600)
class RacesTest {
  private static final Logger LOG = LoggerFactory.getLogger(RacesTest.class);

  /** The races of each kind: fewer, unless asked for, where each starts a container. */
  private static final int RACES = Integer.getInteger("races", 200);

  private static final int CONTAINERS = Integer.getInteger("races", 40);

  /** The tries to remove a directory in one race. */
  private static final int TRIES = 100;

  /** The exit code of a container that sees what the link leads to. */
  private static final int WON = 42;

  @TempDir Path dir;
  private Path outside;
  private Path mark;
  private ProcessRuntime runtime;

  /** Completed when the container under way would be tried again later. */
  private volatile CompletableFuture<Boolean> retry = new CompletableFuture<>();

  /**
   * Renames a directory and a link to the same name in turn, until it is closed. Makes them again
   * if they are removed.
   */
  private static final class Swapper implements AutoCloseable {
    private final Path name;
    private final Path directory;
    private final Path link;
    private final Path target;
    private final int linkRest;
    private final int directoryRest;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * @param linkRest how long the link may stay each time, in turns of an empty loop
     * @param directoryRest how long the directory may stay
     */
    Swapper(Path name, Path target, int linkRest, int directoryRest) throws IOException {
      this.name = name;
      this.directory = name.resolveSibling("directory");
      this.link = name.resolveSibling("link");
      this.target = target;
      this.linkRest = linkRest;
      this.directoryRest = directoryRest;
      Files.createDirectories(name);
      Files.createSymbolicLink(link, target);
      this.thread = Thread.ofPlatform().start(this::run);
    }

    private void run() {
      SplittableRandom random = new SplittableRandom(1);
      while (!closed) {
        if (!Files.isSymbolicLink(link)) {
          makeAgain();
        }
        rename(name, directory);
        if (!rename(link, name)) {
          var _ = name.toFile().delete(); // A directory that was made meanwhile.
        }
        rest(random.nextInt(linkRest));
        rename(name, link);
        rename(directory, name);
        rest(random.nextInt(directoryRest));
      }
    }

    /** Gives the other side some time to go on with what it saw. */
    private static void rest(int turns) {
      for (int i = 0; i < turns; i++) {
        Thread.onSpinWait();
      }
    }

    private void makeAgain() {
      try {
        Files.createSymbolicLink(link, target);
        Files.createDirectory(name);
      } catch (IOException there) {
        // Or everything is gone.
      }
    }

    private static boolean rename(Path from, Path to) {
      try {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        return true;
      } catch (IOException gone) {
        return false;
      }
    }

    @Override
    public void close() {
      closed = true;
      try {
        thread.join();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @BeforeEach
  void open() throws IOException {
    outside = Files.createDirectories(dir.resolve("outside"));
    mark = Files.writeString(outside.resolve("mark"), "");
    Files.createDirectories(dir.resolve("open"));
    runtime =
        new ProcessRuntime(
            dir.resolve("pods"),
            dir.resolve("logs"),
            Map.of("PATH", System.getenv("PATH")),
            new TestTime(),
            this::onTimer,
            new ProcessOptions(List.of(dir.resolve("open"))),
            true,
            Posix::spawn,
            ShimProgram.SHELL);
  }

  private Runnable onTimer(Duration delay, Runnable task) {
    if (delay.equals(RetryDelays.REQUEST.delay(1))) {
      retry.complete(true);
    }
    return () -> {};
  }

  @AfterEach
  void close() {
    runtime.forget("uid-a").join();
    runtime.close();
  }

  @Test
  void noRaceForAPartOfAVolumeIsWon() throws Exception {
    Path volume = dir.resolve("pods/uid-a/.volumes/v");
    ObjectNode pod = pod("{\"emptyDir\": {}}", "part");
    assertThat(race(pod).code()).isNotEqualTo(WON);
    assertNoRaceIsWon(pod, volume.resolve("part"));
  }

  @Test
  void noRaceForAPathOfTheMachineIsWon() throws Exception {
    Path path = dir.resolve("open/path");
    assertNoRaceIsWon(pod("{\"hostPath\": {\"path\": \"" + path + "\"}}", ""), path);
  }

  /** Root arranges it, so that it could land on root's programs. */
  @Test
  void noRaceForAMountWithinAVolumeIsWon() throws Exception {
    assumeTrue(MachineCapabilities.here().identity().isRoot(), "NOT TESTED: takes root");
    Path landed = Files.createDirectory(outside.resolve("in"));
    Files.setAttribute(dir, "unix:mode", 0755);
    ObjectNode pod = pod("{\"emptyDir\": {}}", "");
    ObjectNode spec = (ObjectNode) pod.get("spec");
    ObjectNode container = (ObjectNode) pod.at("/spec/containers/0");
    spec.withArray("volumes").addObject().put("name", "w").putObject("emptyDir");
    container
        .withArray("volumeMounts")
        .addObject()
        .put("name", "w")
        .put("mountPath", "/mnt/name/in");
    container.put("workingDir", "/").putObject("securityContext").put("runAsUser", 65534);
    container.withArray("command").set(2, "[ ! -e " + landed + "/nested ] || exit " + WON);
    assertThat(race(pod).code()).isZero();
    Files.writeString(dir.resolve("pods/uid-a/.volumes/w/nested"), "");
    assertNoRaceIsWon(pod, dir.resolve("pods/uid-a/.volumes/v/name"));
  }

  private void assertNoRaceIsWon(ObjectNode pod, Path name) throws Exception {
    assumeTrue(
        MachineCapabilities.here().whyNoMounts().isEmpty(), "NOT TESTED: mounts are impossible");
    Files.createDirectories(name);
    assertThat(race(pod).code()).as("a container without a race runs").isZero();
    Map<String, Integer> outcomes = new TreeMap<>();
    try (Swapper _ = new Swapper(name, outside, 500, 1000)) {
      for (int i = 0; i < CONTAINERS; i++) {
        Exit exit = race(pod);
        outcomes.merge(exit.code() + " " + exit.reason(), 1, Integer::sum);
        assertThat(exit.code()).as("race %d", i).isNotEqualTo(WON);
      }
    }
    LOG.info("{} races for {}: {}", CONTAINERS, name.getFileName(), outcomes);
  }

  /** Runs a container; one that has to wait, or is to be tried again, is called off. */
  private Exit race(ObjectNode pod) throws Exception {
    CompletableFuture<Boolean> again = new CompletableFuture<>();
    retry = again;
    ExitListener listener = new ExitListener();
    ObjectNode container = (ObjectNode) pod.at("/spec/containers/0");
    KubeObject object = KubeObject.of(pod);
    Attempt attempt =
        runtime.start(new ContainerRun(object, container, 0, false, PodInputs.NONE), listener);
    listener.waits.thenAccept(_ -> attempt.signal(Attempt.Signal.KILL));
    again.thenAccept(_ -> attempt.signal(Attempt.Signal.KILL));
    return listener.exit.get();
  }

  private static ObjectNode pod(String volume, String subPath) {
    ObjectNode pod = PodCluster.newPod("a", "sh", "-c", "[ ! -e /mnt/mark ] || exit " + WON);
    ObjectNode source = Json.parse(volume);
    ((ObjectNode) pod.get("spec")).putArray("volumes").add(source.put("name", "v"));
    ObjectNode mount =
        ((ObjectNode) pod.at("/spec/containers/0")).putArray("volumeMounts").addObject();
    mount.put("name", "v").put("mountPath", "/mnt");
    if (!subPath.isEmpty()) {
      mount.put("subPath", subPath);
    }
    return pod;
  }

  @Test
  void noRaceForADirectoryThatIsRemovedIsWon() throws Exception {
    Path name = Files.createDirectory(dir.resolve("tree")).resolve("name");
    try (Swapper _ = new Swapper(name, outside, 10_000, 1)) {
      for (int i = 0; i < TRIES * RACES; i++) {
        try {
          FileTrees.delete(name);
        } catch (IOException replaced) {
          // Another try removes what is there then.
        }
        assertThat(Files.exists(mark)).as("race %d", i / TRIES).isTrue();
      }
    }
  }

  @Test
  void noRaceForADirectoryThatIsMadeIsWon() throws Exception {
    Path volume = Files.createDirectory(dir.resolve("volume"));
    try (Swapper _ = new Swapper(volume.resolve("name"), outside, 1, 1);
        Handle whole = Handle.open(volume)) {
      for (int i = 0; i < RACES; i++) {
        try {
          whole.makeBeneath(Path.of("name/in"), 0755).close();
        } catch (IOException replaced) {
          // As it has to be.
        }
        assertThat(outside.toFile().list()).as("race %d", i).containsExactly("mark");
        FileTrees.delete(volume.resolve("directory/in"));
        FileTrees.delete(volume.resolve("name/in"));
      }
    }
  }
}
