package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.PodCluster;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.PodInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** The life of a pod while its volumes are filled, and if that fails. */
class VolumeFillingTest extends IsolationFixture {
  VolumeFillingTest(@TempDir Path dir) throws IOException {
    super(dir);
  }

  @Test
  void aVolumeThatTakesLongHoldsUpNoOtherPod() throws Exception {
    assumeMounts();
    CountDownLatch filled = new CountDownLatch(1);
    ExitListener late = startLate(pod("cat /stint-test/k"), filled).listener();
    assertThat(run(PodCluster.newPod("b", "true")).code()).isZero();
    assertThat(late.exit).isNotDone();
    filled.countDown();
    assertThat(late.exit.get().code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("late");
  }

  @Test
  void aContainerThatIsStoppedWhileItsVolumeIsFilledNeverStarts() throws Exception {
    assumeMounts();
    CountDownLatch filled = new CountDownLatch(1);
    Late late = startLate(pod("cat /stint-test/k"), filled);
    late.attempt().signal(Attempt.Signal.TERM);
    assertThat(run(PodCluster.newPod("b", "true")).code()).isZero();
    assertThat(late.listener().exit).isNotDone();
    filled.countDown();
    assertThat(late.listener().exit.get().reason()).isEqualTo("ContainerStatusUnknown");
  }

  @Test
  void noOtherPodGetsTheSecretsOfAPodThatDidNotStart() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("true");
    volume(pod, "a", "{\"secret\": {\"secretName\": \"keys\"}}", "/stint-test", "");
    container(pod).remove("command");
    assertThat(startError(pod)).contains("has no command");
    assertThat(volumeOfFiles("a").resolve("token")).exists();
    runtime.forget("uid-a").get();
    assertThat(dir.resolve("pods/.spare")).isEmptyDirectory();
    assertThat(dir.resolve("pods/uid-a")).doesNotExist();
  }

  @Test
  void onlyStintMayEnterTheDirectoryOfAPodWithVolumes() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("true");
    volume(pod, "a", "{\"secret\": {\"secretName\": \"keys\"}}", "/stint-test", "");
    assertThat(run(pod).code()).isZero();
    assertThat(Files.getPosixFilePermissions(dir.resolve("pods/uid-a")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void anErrorWhileAVolumeIsFilledEndsItsPodOnly() throws Exception {
    assumeMounts();
    Late broken =
        startLate(
            pod("true"),
            text ->
                new StringNode(text) {
                  private static final long serialVersionUID = 1L;

                  @Override
                  public String stringValue(String otherwise) {
                    throw new OutOfMemoryError("for the test");
                  }
                });
    Exit exit = broken.listener().exit.get();
    assertThat(exit.reason()).isEqualTo("StartError");
    assertThat(exit.message()).contains("OutOfMemoryError: for the test");
    assertThat(run(PodCluster.newPod("b", "true")).code()).isZero();
  }

  /** A text that cannot be read before a latch opens. */
  private static final class LateText extends StringNode {
    private static final long serialVersionUID = 1L;

    private final transient CountDownLatch latch;

    LateText(String text, CountDownLatch latch) {
      super(text);
      this.latch = latch;
    }

    @Override
    public String stringValue(String otherwise) {
      try {
        latch.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      return stringValue();
    }
  }

  private record Late(Attempt attempt, ExitListener listener) {}

  private Late startLate(ObjectNode pod, CountDownLatch filled) {
    return startLate(pod, text -> new LateText(text, filled));
  }

  /**
   * Starts a container that mounts a config map.
   *
   * @param value makes the value of its only key
   */
  private Late startLate(ObjectNode pod, Function<String, StringNode> value) {
    volume(pod, "a", "{\"configMap\": {\"name\": \"late\"}}", "/stint-test", "");
    ObjectNode source = Json.object();
    source.putObject("data").set("k", value.apply("late"));
    PodInputs inputs = new PodInputs(Map.of("late", KubeObject.of(source)), Map.of());
    started.add("uid-a");
    ExitListener listener = new ExitListener();
    ContainerRun run = new ContainerRun(KubeObject.of(pod), container(pod), 0, false, inputs);
    return new Late(runtime.start(run, listener), listener);
  }
}
