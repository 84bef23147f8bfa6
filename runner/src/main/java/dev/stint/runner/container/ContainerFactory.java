package dev.stint.runner.container;

import dev.stint.model.KubeObject;
import dev.stint.runner.container.daemon.ContainerLabels;
import dev.stint.runner.container.daemon.ContainerSpec;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonLog;
import dev.stint.runner.container.daemon.ImageRef;
import dev.stint.runner.container.daemon.LocalImage;
import dev.stint.runner.env.Environment;
import dev.stint.runner.env.EnvironmentException;
import dev.stint.runner.env.Variables;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.runner.volume.PodMounts;
import dev.stint.runner.volume.VolumeFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Makes the containers of one run of a container at the daemon. */
record ContainerFactory(RuntimeContext shared, PodSandbox sandbox, ContainerRun run) {
  /** Returns the labels of the next attempt: its number, and the lengths of its log files. */
  ContainerLabels newLabels(int restartCount) throws IOException {
    int number = sandbox.nextNumber(run.name());
    sandbox.forgetFiles(run.name(), number);
    LogFiles files = files(number);
    Files.createDirectories(files.dir());
    return new ContainerLabels(
        shared.dataDir(),
        run.pod().uid(),
        run.name(),
        number,
        restartCount,
        shared.bootId(),
        lengthOf(files.path(LogStream.STDOUT)),
        lengthOf(files.path(LogStream.STDERR)));
  }

  /** Returns the log files of an attempt. */
  LogFiles files(int number) {
    return new LogFiles(shared.logs().dir(run.pod()), LogTree.segment(run.name()), number);
  }

  /** Returns the length of a file, which is made if it is missing. */
  private static long lengthOf(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
    return Files.size(file);
  }

  /** Creates the container of an attempt, with its mounts. */
  PodSandbox.Made make(
      ContainerLabels labels, ImageRef ref, LocalImage image, PodSandbox.Pause pause)
      throws DaemonException, IOException, EnvironmentException, VolumeFault {
    Variables variables = variables(pause);
    List<PodMounts.Mounted> mounts = sandbox.mounts(run, labels, variables);
    return sandbox.make(
        ContainerSpec.container(
            run,
            labels,
            new ContainerSpec.Context(
                pause.id(), image, ref, variables, mounts, shared.logLimits(), shared.podman())));
  }

  private Variables variables(PodSandbox.Pause pause) throws EnvironmentException {
    KubeObject pod = run.pod();
    if (pause.address() != null) {
      ObjectNode copy = pod.copy();
      copy.withObjectProperty("status").put("podIP", pause.address());
      pod = KubeObject.of(copy);
    }
    return Environment.declaredOfImage(
        pod, run.container(), run.inputs(), ResourceAmount.ofThisMachine(), sandbox.files());
  }

  /** Returns the phase of an attempt whose container was started. */
  AttemptPhase.Started started(AttemptPhase.Created created, Instant at, String stopSignal) {
    ContainerLabels labels = created.labels();
    LogCopy copy =
        new LogCopy(
            (follow, since) -> shared.daemon().logs(created.id(), follow, since),
            created.id(),
            files(labels.attempt()),
            labels,
            DaemonLog.wholeBytes(shared.logLimits()));
    LogFollower log = new LogFollower(shared, sandbox.serial(), copy);
    return new AttemptPhase.Started(created.id(), labels, at, stopSignal, log);
  }
}
