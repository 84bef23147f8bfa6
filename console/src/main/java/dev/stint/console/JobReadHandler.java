package dev.stint.console;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.cluster.ClusterException;
import dev.stint.console.simulation.Simulations;
import dev.stint.console.stream.ChangeFeed;
import dev.stint.console.stream.ServerSentEvents;
import dev.stint.console.stream.ThreadSignal;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobItems;
import dev.stint.jobs.WaitingPods;
import dev.stint.jobs.attempts.AttemptHistory;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The read requests about Jobs: {@code live/jobs}, {@code live/jobs/NAMESPACE/NAME}, and under
 * {@code jobs/NAMESPACE/NAME} its {@code document}, {@code attempts}, {@code items}, {@code log}
 * and {@code simulation}.
 */
final class JobReadHandler {
  private static final int MOST_ATTEMPTS = 500;
  private static final int MOST_ITEMS = 50;
  private static final long MOST_LINES = 100_000;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,252}");

  private final ConsoleOptions options;
  private final LiveJobs live;
  private final Simulations simulations;

  JobReadHandler(ConsoleOptions options, LiveJobs live, Simulations simulations) {
    this.options = options;
    this.live = live;
    this.simulations = simulations;
  }

  /**
   * Answers a request.
   *
   * @param path below {@code /console/api/}
   */
  ApiResponse answer(String path, QueryParameters query) throws IOException {
    String[] parts = path.split("/", -1);
    if (path.equals("live/jobs")) {
      return new ServerSentEvents(this::list, ThreadSignal::new).reply();
    }
    if (parts.length == 4 && path.startsWith("live/jobs/")) {
      return follow(parts[2], parts[3]);
    }
    if (parts.length == 4 && parts[0].equals("jobs")) {
      return switch (parts[3]) {
        case "document" -> ObjectDocument.of(job(parts[1], parts[2]), query.text("format"));
        case "attempts" -> attempts(parts[1], parts[2], query);
        case "items" -> items(parts[1], parts[2], query);
        case "log" -> log(parts[1], parts[2], query);
        case "simulation" -> simulation(parts[1], parts[2]);
        default -> notFound(path);
      };
    }
    return notFound(path);
  }

  private static ApiResponse notFound(String path) {
    return ConsoleResponses.refused(404, "not found: /console/api/" + path);
  }

  private ChangeFeed list(Runnable changed) {
    return new ListFeed(options, changed).started();
  }

  private ApiResponse follow(String namespace, String name) {
    job(namespace, name);
    return new ServerSentEvents(
            changed -> new JobFeed(live.open(namespace, name), options.clock(), changed),
            ThreadSignal::new)
        .reply();
  }

  private KubeObject job(String namespace, String name) {
    return ApiCalls.await(options.cluster().get(new ObjectRef(Kind.JOB, namespace, name)));
  }

  private @Nullable KubeObject findJob(String namespace, String name) {
    return find(new ObjectRef(Kind.JOB, namespace, name));
  }

  private @Nullable KubeObject find(ObjectRef ref) {
    return ApiCalls.find(options.cluster(), ref);
  }

  private ApiResponse attempts(String namespace, String name, QueryParameters query)
      throws IOException {
    KubeObject job = findJob(namespace, name);
    Long index = query.number("index");
    List<ContainerAttemptView> found =
        index == null
            ? all(namespace, name, job)
            : ofIndex(intParameter("index", index), namespace, name, job);
    List<ContainerAttemptView> last =
        found.subList(Math.max(0, found.size() - MOST_ATTEMPTS), found.size());
    Instant now = options.clock().instant();
    ObjectNode tree = Json.object().put("total", found.size());
    ArrayNode list = tree.putArray("attempts");
    Optional<JobItems> items =
        job == null ? Optional.empty() : JobItems.readable(options.cluster(), job);
    WaitingPods.explained(
            last.stream().map(each -> JobItems.named(each, items)).toList(),
            () -> events(namespace))
        .forEach(each -> list.add(each.json(now).put("why", each.explanation())));
    return ApiResponse.json(200, tree);
  }

  /**
   * Returns items of a Job: those with a text, or those of some indexes. None if it has no items.
   */
  private ApiResponse items(String namespace, String name, QueryParameters query) {
    KubeObject job = job(namespace, name);
    Optional<JobItems> items = JobItems.readable(options.cluster(), job);
    ObjectNode tree = Json.object();
    ArrayNode list = tree.putArray("items");
    Long index = query.number("index");
    Integer completions = Json.integer(job.spec(), "completions");
    SortedMap<Integer, String> found = new TreeMap<>();
    if (index != null) {
      int at = intParameter("index", index);
      items.flatMap(known -> known.display(at)).ifPresent(item -> found.put(at, item));
    } else if (completions != null) {
      items.ifPresent(
          known -> found.putAll(known.search(query.text("text"), completions, MOST_ITEMS)));
    }
    found.forEach((at, item) -> list.addObject().put("index", at.intValue()).put("item", item));
    return ApiResponse.json(200, tree);
  }

  private ApiResponse simulation(String namespace, String name) {
    KubeObject job = job(namespace, name);
    return simulations.of(job, () -> all(namespace, name, job));
  }

  private List<KubeObject> events(String namespace) {
    return ApiCalls.await(options.cluster().list(Kind.EVENT, namespace)).items();
  }

  private List<ContainerAttemptView> all(String namespace, String name, @Nullable KubeObject job)
      throws IOException {
    List<KubeObject> pods = job == null ? List.of() : JobChanges.pods(options.cluster(), job);
    return AttemptHistory.find(segment(namespace), segment(name), job, pods, options.tree(), false);
  }

  /**
   * Returns the attempts of one index. Only the pods of that index are requested; their names are
   * known from the live view.
   */
  private List<ContainerAttemptView> ofIndex(
      int index, String namespace, String name, @Nullable KubeObject job) throws IOException {
    List<KubeObject> pods = new ArrayList<>();
    if (job != null) {
      try (LiveJobs.Lease lease = live.open(namespace, name)) {
        lease.live().startAll();
        lease.live().podsOf(index).stream()
            .map(pod -> find(new ObjectRef(Kind.POD, namespace, pod)))
            .filter(Objects::nonNull)
            .forEach(pods::add);
      }
    }
    return AttemptHistory.ofIndex(
        index, segment(namespace), segment(name), job, pods, options.tree());
  }

  private ApiResponse log(String namespace, String name, QueryParameters query) {
    String pod = segment(query.text("pod"));
    String container = segment(query.text("container"));
    int run = intParameter("run", Objects.requireNonNullElse(query.number("run"), 0L));
    LogSource source = options.logs().of(segment(namespace), segment(name));
    Long tail = query.number("tail");
    boolean download = query.flag("download");
    Long lines = tail == null ? MOST_LINES : Long.valueOf(Math.min(tail, MOST_LINES));
    LogSource.View view =
        LogSource.View.of(query.flag("timestamps"), download ? null : lines, null);
    boolean follow = query.flag("follow");
    boolean latest = query.flag("latest");
    ContainerAttemptView attempt = ContainerAttemptView.unnumbered(null, pod, container, run);
    return new ApiResponse.Streamed(
        200,
        ApiResponse.TEXT,
        sink -> {
          if (follow) {
            try (LiveJobs.Lease lease = live.open(namespace, name)) {
              lease.live().startAll();
              CompletableFuture<Boolean> ended = lease.live().whenEnded(pod, run);
              sink.onClose(() -> ended.complete(true));
              copy(source, attempt, latest, view, ended, sink);
            }
          } else {
            copy(source, attempt, latest, view, null, sink);
          }
        },
        download ? List.of(attachment(pod, container, run)) : List.of());
  }

  /** Returns the header with the name of a downloaded file. */
  private static ApiResponse.Header attachment(String pod, String container, int run) {
    return new ApiResponse.Header(
        "Content-Disposition",
        "attachment; filename=\"%s.%s.%d.log\"".formatted(pod, segment(container), run));
  }

  private static void copy(
      LogSource source,
      ContainerAttemptView attempt,
      boolean latest,
      LogSource.View view,
      @Nullable CompletableFuture<?> ended,
      ApiResponse.Sink sink)
      throws IOException, InterruptedException {
    try {
      source.copy(attempt, latest, view, ended, sink::write);
    } catch (ClusterException gone) {
      sink.write(
          ("(" + MissingRights.explain("cannot read the log", gone) + ")\n")
              .getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Validates a name that becomes a path segment, so that it cannot lead out of its directory. */
  private static String segment(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("\"" + name + "\" is not a name");
    }
    return name;
  }

  private static int intParameter(String what, long number) {
    if (number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(what + " " + number + " is too large");
    }
    return (int) number;
  }
}
