package dev.stint.cli.exec;

import dev.stint.cli.location.CopyOptions;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.jobs.ApiCalls;
import dev.stint.kube.ExecRequest;
import dev.stint.kube.ExecStreams;
import dev.stint.kube.KubeCluster;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stint exec JOB -- COMMAND}: runs a command in a running container of a Job. */
@Command(
    name = "exec",
    description = {
      "Run a command in a running container of a Job, and exit with its exit status.",
      "Ctrl-C gives the command up; with -t it is passed on to it.",
      "Needs a cluster, or a data directory on which stint up works."
    },
    footer = {
      "",
      "Examples:",
      "  stint exec hello -- ps -ef",
      "  stint exec hello --index 3 -i -- sh <script.sh",
      "  stint exec hello -it -- sh"
    })
public final class ExecCommand extends TargetCommand {
  @Parameters(index = "0", paramLabel = "JOB", description = "Name of the Job.")
  String job = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The program and its arguments, behind --.")
  List<String> command = List.of();

  @Option(
      names = "--index",
      paramLabel = "I",
      description = "Index of the pod (default: the only pod that runs).")
  @Nullable Integer index;

  @Option(
      names = "--pod",
      paramLabel = "NAME",
      description = "Name of the pod (default: the only one that runs).")
  @Nullable String pod;

  @Option(
      names = {"-c", "--container"},
      paramLabel = "NAME",
      description =
          "Name of the container (default: that of the annotation "
              + "kubectl.kubernetes.io/default-container, else the first).")
  @Nullable String container;

  @Option(
      names = {"-i", "--stdin"},
      description = "Pass the standard input to the command.")
  boolean stdin;

  @Option(
      names = {"-t", "--tty"},
      description = "Give the command a terminal, with -i on a terminal.")
  boolean tty;

  @Mixin CopyOptions copies = new CopyOptions();

  /** The place where the command's terminal is shown; null if it gets none. */
  private @Nullable RawTerminal terminal;

  /** The exit status of the command. */
  private int status;

  public ExecCommand(Console console) {
    super(console);
  }

  @Override
  public void check() {
    if (index != null && index < 0) {
      throw new UserException("--index is " + index + "; it must be at least 0");
    }
    if (tty && !stdin) {
      throw new UserException("-t needs -i");
    }
    terminal = tty ? RawTerminal.of(console) : null;
  }

  @Override
  public ExitCode run(JobsTarget target) throws IOException {
    status = copies.with(console, target, job, this::exec);
    return ExitCode.OK;
  }

  @Override
  public int finish(ExitCode done) {
    return status;
  }

  /** Runs the command where the pods are; returns its exit status. */
  private int exec(JobsTarget target) {
    List<KubeObject> pods = target.pods(target.job(job));
    if (pods.isEmpty()) {
      copies.checkNotMirrored(target, job);
    }
    KubeCluster api = target.remote().orElseThrow(() -> unserved(target));
    KubeObject chosen = new PodChoice(JobsTarget.name(job), index, podName()).of(pods);
    ExecRequest request =
        new ExecRequest(ContainerChoice.of(chosen, container), command, stdin, tty);
    try (var _ = terminal) {
      return ApiCalls.await(api.exec(chosen.ref(), request, streams(), target.random()));
    }
  }

  private @Nullable String podName() {
    return pod != null && pod.startsWith("pod/") ? pod.substring("pod/".length()) : pod;
  }

  private ExecStreams streams() {
    return new ExecStreams(
        console.in(),
        new CheckedOutput(console.out()),
        new CheckedOutput(console.err()),
        () ->
            console.say(
                "the API server cannot tell the command that its input has ended; press Ctrl-C if it"
                    + " waits for that"),
        terminal);
  }

  /** Returns why no API leads to the pods of a data directory. */
  private static UserException unserved(JobsTarget target) {
    Optional<Path> idle = target.idleData();
    String data = target.data().map(at -> at.path().toString()).orElse("the data directory");
    return new UserException(
        idle.isPresent()
            ? "nothing works on %s, so no pod of it runs; start stint up --data %s"
                .formatted(data, data)
            : "the stint run that works on %s cannot run commands in pods; start stint up --data %s beside it, which takes the pods over"
                .formatted(data, data));
  }
}
