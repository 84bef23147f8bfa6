package dev.stint.embedded;

import dev.stint.apiserver.pods.LogRequest;
import dev.stint.apiserver.pods.PodAccess;
import dev.stint.apiserver.pods.PodProcess;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.pod.PodPhase;
import dev.stint.runner.access.ExecTarget;
import dev.stint.runner.access.RunningPods;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogOptions;
import dev.stint.runner.log.LogReader;
import dev.stint.runner.log.LogStream;
import dev.stint.runner.log.LogTail;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Gives the API access to pods that run as processes on this machine. */
public final class ProcessPods implements PodAccess {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessPods.class);

  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  private final RunningPods runtime;

  public ProcessPods(RunningPods runtime) {
    this.runtime = runtime;
  }

  @Override
  public List<String> kept(String namespace, String pod) throws IOException {
    if (pod.startsWith(".") || namespace.startsWith(".")) {
      return List.of();
    }
    Optional<Path> dir = runtime.logs().find(namespace, pod);
    return dir.isEmpty() ? List.of() : List.copyOf(LogFiles.in(dir.get()).keySet());
  }

  @Override
  public Log log(LogRequest request) throws IOException {
    LogFiles files = files(request);
    KubeObject pod = request.pod();
    CompletableFuture<?> ended =
        pod == null
            ? CompletableFuture.completedFuture(true)
            : runtime
                .running(pod.uid(), files.container(), files.number())
                .thenCompose(end -> end.orElse(CompletableFuture.completedFuture(null)));
    LogReader reader = new LogReader(files, options(request), ended);
    return (out, closed) -> reader.copyTo(out::write, closed);
  }

  private static LogOptions options(LogRequest request) {
    return new LogOptions(
        request.follow(),
        request.timestamps(),
        request.tailLines(),
        since(request),
        request.limitBytes(),
        switch (request.stream()) {
          case ALL -> Set.of(LogStream.values());
          case STDOUT -> Set.of(LogStream.STDOUT);
          case STDERR -> Set.of(LogStream.STDERR);
        });
  }

  /**
   * Returns the time before which lines are skipped: an earlier pod of the same name may have
   * written to the same files.
   */
  private static @Nullable Instant since(LogRequest request) {
    KubeObject pod = request.pod();
    String text = pod == null ? null : Json.text(pod.metadata(), "creationTimestamp");
    Instant created = text == null ? null : Timestamps.parse(text);
    Instant requested = request.since();
    return requested == null || created != null && created.isAfter(requested) ? created : requested;
  }

  private LogFiles files(LogRequest request) throws IOException {
    KubeObject pod = request.pod();
    String container = request.container();
    Path dir =
        pod != null
            ? runtime.logs().dir(pod)
            : runtime
                .logs()
                .find(request.namespace(), request.name())
                .orElseThrow(() -> notFound(request));
    TreeSet<Integer> numbers = LogFiles.in(dir).getOrDefault(container, new TreeSet<>());
    Integer latest = pod == null ? last(numbers) : number(pod, container, numbers);
    if (request.previous()) {
      Integer before = latest == null ? null : numbers.lower(latest);
      if (before == null) {
        throw bad(
            "previous terminated container \"%s\" in pod \"%s\" not found"
                .formatted(container, request.name()));
      }
      return new LogFiles(dir, container, before);
    }
    if (latest == null) {
      throw bad(
          "container \"%s\" in pod \"%s\" %s"
              .formatted(container, request.name(), whyNoLog(pod, container)));
    }
    return new LogFiles(dir, container, latest);
  }

  private static @Nullable Integer last(TreeSet<Integer> numbers) {
    return numbers.isEmpty() ? null : numbers.last();
  }

  /**
   * Returns the number of the latest attempt, from the pod's status, or else from the files; null
   * if none was started.
   */
  private static @Nullable Integer number(
      KubeObject pod, String container, TreeSet<Integer> numbers) {
    String id = PodAccess.containerId(pod, container).orElse("");
    String end = id.substring(id.lastIndexOf('/') + 1);
    if (id.isEmpty()) {
      return null;
    }
    return NUMBER.matcher(end).matches() ? Integer.valueOf(end) : last(numbers);
  }

  private static String whyNoLog(@Nullable KubeObject pod, String container) {
    if (pod != null && PodPhase.of(pod) == PodPhase.Failed) {
      String message = Json.text(pod.status(), "message");
      return message == null ? "never started" : "never started: " + message;
    }
    Optional<String> reason =
        pod == null ? Optional.empty() : PodAccess.waitingReason(pod, container);
    return "is waiting to start: " + reason.orElse("ContainerCreating");
  }

  @Override
  public PodProcess exec(KubeObject pod, String container, List<String> command, boolean tty)
      throws IOException {
    CompletableFuture<Exit> ended = running(pod, container).ended();
    ExecTarget process;
    try {
      process = runtime.exec(pod, entry(pod, container), command, tty);
    } catch (IOException fault) {
      throw new ClusterException(
          Reason.INTERNAL,
          "Internal error occurred: error executing command in container: " + fault.getMessage());
    }
    var _ = ended.whenComplete((_, _) -> process.close());
    return new RunningCommand(process);
  }

  @Override
  public PodProcess attach(KubeObject pod, String container) throws IOException {
    Running running = running(pod, container);
    return new Attached(running.files(), running.ended());
  }

  /** A running container. */
  private record Running(LogFiles files, CompletableFuture<Exit> ended) {}

  private Running running(KubeObject pod, String container) throws IOException {
    TreeSet<Integer> numbers =
        LogFiles.in(runtime.logs().dir(pod)).getOrDefault(container, new TreeSet<>());
    Integer number = number(pod, container, numbers);
    Optional<CompletableFuture<Exit>> ended =
        number == null ? Optional.empty() : runtime.running(pod.uid(), container, number).join();
    if (number == null || ended.isEmpty()) {
      throw new ClusterException(
          Reason.INTERNAL,
          "unable to upgrade connection: container not found (\"%s\")".formatted(container));
    }
    return new Running(new LogFiles(runtime.logs().dir(pod), container, number), ended.get());
  }

  private static ObjectNode entry(KubeObject pod, String container) {
    return Stream.of("containers", "initContainers")
        .map(list -> Json.arrayAt(pod.spec(), list))
        .filter(java.util.Objects::nonNull)
        .flatMap(ProcessPods::elements)
        .filter(each -> container.equals(Json.text(each, "name")))
        .map(each -> (ObjectNode) each)
        .findFirst()
        .orElseThrow(() -> bad("container not found (\"%s\")".formatted(container)));
  }

  private static Stream<JsonNode> elements(@Nullable ArrayNode array) {
    return array == null ? Stream.empty() : array.valueStream();
  }

  private static ClusterException notFound(LogRequest request) {
    return new ClusterException(
        Reason.NOT_FOUND, "pods \"%s\" not found".formatted(request.name()));
  }

  private static ClusterException bad(String message) {
    return new ClusterException(Reason.BAD_REQUEST, message);
  }

  /** An additional command in a container ({@code kubectl exec}). */
  private record RunningCommand(ExecTarget process) implements PodProcess {
    @Override
    public InputStream stdout() {
      return process.stdout();
    }

    @Override
    public InputStream stderr() {
      return process.stderr();
    }

    @Override
    public void write(byte[] input) throws IOException {
      process.stdin().write(input);
      process.stdin().flush();
    }

    @Override
    public void endInput() {
      try {
        process.stdin().close();
      } catch (IOException gone) {
        LOG.debug("Cannot close the input of a process: {}", gone.toString());
      }
    }

    @Override
    public void resize(int columns, int rows) {
      process.resize(columns, rows);
    }

    @Override
    public CompletableFuture<Integer> exitCode() {
      return process.exitCode();
    }

    @Override
    public void close() {
      process.close();
    }
  }

  /** A container's own command, which continues when the client detaches. */
  private static final class Attached implements PodProcess {
    private final CompletableFuture<Exit> ended;
    private final CompletableFuture<@Nullable Object> over = new CompletableFuture<>();
    private final LogTail stdout;
    private final LogTail stderr;

    Attached(LogFiles files, CompletableFuture<Exit> ended) {
      this.ended = ended;
      var _ = ended.whenComplete((_, _) -> over.complete(null));
      stdout = new LogTail(files, LogStream.STDOUT, over);
      stderr = new LogTail(files, LogStream.STDERR, over);
    }

    @Override
    public InputStream stdout() {
      return stdout;
    }

    @Override
    public InputStream stderr() {
      return stderr;
    }

    @Override
    public void write(byte[] input) throws IOException {
      throw new IOException("the container has no input");
    }

    @Override
    public void endInput() {}

    @Override
    public void resize(int columns, int rows) {}

    @Override
    public CompletableFuture<Integer> exitCode() {
      return ended.thenApply(Exit::code);
    }

    @Override
    public void close() {
      over.complete(null);
      for (LogTail tail : List.of(stdout, stderr)) {
        try {
          tail.close();
        } catch (IOException fault) {
          LOG.debug("Cannot close a log: {}", fault.toString());
        }
      }
    }
  }
}
