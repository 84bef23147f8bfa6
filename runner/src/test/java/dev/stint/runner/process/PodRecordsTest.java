package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.KubeObject;
import dev.stint.runner.PodCluster;
import dev.stint.runner.log.AttemptRecords;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.PodInputs;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The records and logs of pods, from their start to their removal. */
class PodRecordsTest extends RunnerFixture {
  /** The shell reports that it is ready, and then waits for the test to continue. */
  private static final String WAIT_FOR_GO = "exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go; ";

  @Test
  void thePodsRecordIsRemovedOnceItsLastStatusIsWritten() throws Exception {
    Life life = live();
    cluster.put(PodCluster.newPod("a", "true"));
    cluster.whenPhase("a", "Succeeded").get();
    life.runtime.forget("uid-a").get();
    assertThat(dir.resolve("pods/uid-a")).doesNotExist();
  }

  @Test
  void aPodThatPrintsNothingLeavesItsLogsToTheNextOne() throws Exception {
    Life life = live();
    Object first = logOfAPod(life, "first", "exit 0");
    Object loud = logOfAPod(life, "loud", "echo a");
    assertThat(loud.equals(first)).isEqualTo(shim().isCompiled());
    assertThat(logOfAPod(life, "last", "exit 0")).isNotEqualTo(first);
    endWhatIsLeft();
    assertThat(log("loud", "0.stdout")).containsExactly("a");
    assertThat(AttemptRecords.read(dir.resolve("logs/default/loud")))
        .singleElement()
        .matches(record -> !record.has("silent"));
    assertThat(Files.exists(dir.resolve("logs/default/first/first")))
        .isEqualTo(!shim().isCompiled());
    assertThat(AttemptRecords.read(dir.resolve("logs/default/first")))
        .singleElement()
        .matches(record -> record.path("silent").booleanValue());
  }

  @Test
  void logsThatAnotherPodOfTheSameNameHasAreNotHandedOn() throws Exception {
    Life life = live();
    ExitListener first = start(life, "a", "uid-first");
    assertThat(first.exit.get().code()).isZero();
    ExitListener twin = start(life, "a", "uid-twin");
    assertThat(twin.exit.get().code()).isZero();
    life.runtime.forget("uid-twin").get();
    ExitListener next = start(life, "b", "uid-next");
    assertThat(next.exit.get().code()).isZero();
    assertThat(dir.resolve("logs/default/a/a/main.0.stdout")).isEmptyFile();
    life.runtime.forget("uid-first").get();
    life.runtime.forget("uid-next").get();
  }

  @Test
  void anAttemptThatFailedInsideIsReportedOnceAlsoWhenItsEndComesLater() throws Exception {
    List<Integer> shims = new ArrayList<>();
    spawner =
        (argv, environment, files) -> {
          int pid = Posix.spawn(argv, environment, files);
          shims.add(pid);
          return pid;
        };
    Life life = live();
    ObjectNode pod = PodCluster.newPod("x", "sleep", "1000");
    List<Exit> exits = new CopyOnWriteArrayList<>();
    AttemptListener faulty =
        new AttemptListener() {
          @Override
          public void onStarted(StartedContainer container) {
            throw new IllegalStateException("as told");
          }

          @Override
          public void onWaiting(String reason, String message) {}

          @Override
          public void onExited(Exit exit) {
            exits.add(exit);
          }
        };
    life.runtime.start(
        new ContainerRun(KubeObject.of(pod), container(pod), 0, false, PodInputs.NONE), faulty);
    cluster.put(PodCluster.newPod("b", "true"));
    cluster.whenPhase("b", "Succeeded").get();
    while (Posix.kill(shims.getFirst(), 0) >= 0) {
      Thread.onSpinWait(); // Until the runtime has seen its end.
    }
    cluster.put(PodCluster.newPod("c", "true"));
    cluster.whenPhase("c", "Succeeded").get();
    assertThat(exits)
        .singleElement()
        .satisfies(exit -> assertThat(exit.message()).isEqualTo("internal error: as told"));
    life.runtime.forget("uid-x").get();
  }

  /** Returns the identity of its log file; the pod has ended and is forgotten by then. */
  private Object logOfAPod(Life life, String name, String script) throws Exception {
    add(name, WAIT_FOR_GO + script);
    Object key;
    try (BufferedReader pipe = openPipe(name)) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      Path log = dir.resolve("logs/default/" + name + "/" + name + "/main.0.stdout");
      key = Files.readAttributes(log, BasicFileAttributes.class).fileKey();
      Files.writeString(dir.resolve(name + ".pipe.go"), "go\n");
    }
    cluster.whenPhase(name, "Succeeded").get();
    life.runtime.forget("uid-" + name).get();
    return key;
  }
}
