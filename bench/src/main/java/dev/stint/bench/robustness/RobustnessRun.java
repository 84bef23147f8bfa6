package dev.stint.bench.robustness;

import dev.stint.bench.history.Action;
import dev.stint.bench.history.Content;
import dev.stint.bench.history.HistoryCheck;
import dev.stint.bench.history.Operation;
import dev.stint.bench.history.Outcome;
import dev.stint.bench.history.RecordedHistory;
import dev.stint.bench.robustness.TestedApi.Reply;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * One run: clients load a server, faults happen to it, and what the clients saw is checked.
 *
 * <p>Faults and the choices of each client follow from the seed; the order in which requests meet
 * does not.
 */
final class RobustnessRun {
  private static final Duration END_TIMEOUT = Duration.ofSeconds(60);
  private static final int CONFLICT = 409;
  private static final int MOST_FIRST_REQUESTS = 10;
  private static final int LOOK_MILLIS = 50;

  /** The number of operations around each fault: without them nothing shows its effect. */
  private static final int OPERATIONS_AROUND_FAULT = 30;

  private static final String LAST = "last";

  private final TestedServer server;
  private final HistoryRecorder recorder;
  private final SplittableRandom random;
  private final Settings settings;
  private final Map<FaultKind, Integer> injected = new EnumMap<>(FaultKind.class);
  private final AtomicBoolean loads = new AtomicBoolean(true);
  private final AtomicBoolean watches = new AtomicBoolean(true);

  /**
   * The settings of a run.
   *
   * @param length the shortest time that it takes
   * @param operations the least number of operations
   * @param faults those that may happen
   * @param betweenFaults the longest time from one fault to the next
   */
  record Settings(
      long seed,
      Duration length,
      int operations,
      List<FaultKind> faults,
      Duration betweenFaults,
      Load load) {}

  /**
   * The clients that load the server.
   *
   * @param sides the side that each watch selects; "" for both
   * @param pauseMillis the longest time between two requests of a client
   */
  record Load(int clients, int keys, List<String> sides, int pauseMillis) {}

  /** The events of a run, and what was found. */
  record Result(
      RecordedHistory history,
      HistoryCheck.Report report,
      Map<FaultKind, Integer> injected,
      Map<String, Integer> notes,
      Duration checkTime) {}

  RobustnessRun(TestedServer server, HistoryRecorder recorder, Settings settings) {
    this.server = server;
    this.recorder = recorder;
    this.settings = settings;
    this.random = new SplittableRandom(settings.seed());
  }

  Result run() throws IOException, InterruptedException {
    List<TestedApi> apis = new ArrayList<>();
    List<String> late = new ArrayList<>();
    try {
      server.start();
      createNamespace();
      List<WatchClient> watchers = new ArrayList<>();
      List<Thread> watching = watch(apis, watchers);
      List<Thread> loading = load(apis);
      injectFaults();
      loads.set(false);
      join(loading);
      late.addAll(late(watchers));
      watches.set(false);
      apis.forEach(TestedApi::close);
      join(watching);
    } finally {
      apis.forEach(TestedApi::close);
      server.close();
    }
    return checked(late);
  }

  private Result checked(List<String> late) {
    RecordedHistory history = recorder.history();
    long begin = System.nanoTime();
    HistoryCheck.Report report = HistoryCheck.check(history);
    late.addAll(report.violations());
    if (recorder.notes().containsKey(UpServer.ENDED_BY_ITSELF)) {
      late.add(UpServer.ENDED_BY_ITSELF + ": see its log");
    }
    if (recorder.notes().containsKey(LoadClient.UNKNOWN_USER)) {
      late.add("a token is not known any more: " + recorder.notes());
    }
    return new Result(
        history,
        new HistoryCheck.Report(late, report.undecided()),
        injected,
        recorder.notes(),
        Duration.ofNanos(System.nanoTime() - begin));
  }

  private void createNamespace() throws IOException, InterruptedException {
    try (TestedApi api = server.connect()) {
      for (int request = 1; !hasNamespace(api, request); request++) {
        recorder.note("no answer to the first request");
      }
    }
  }

  /**
   * False if the request is to be repeated: a server that has just started on a busy machine may
   * not answer in time.
   */
  private static boolean hasNamespace(TestedApi api, int request)
      throws IOException, InterruptedException {
    Reply reply;
    try {
      reply = api.send("POST", "/api/v1/namespaces", ConfigMaps.namespace());
    } catch (HttpTimeoutException busy) {
      if (request == MOST_FIRST_REQUESTS) {
        throw busy;
      }
      return false;
    }
    boolean fromRequestBefore = request > 1 && reply.code() == CONFLICT;
    if (reply.code() >= 300 && !fromRequestBefore) {
      throw new IOException("cannot create the namespace: " + reply);
    }
    return true;
  }

  private List<Thread> load(List<TestedApi> apis) throws IOException {
    List<String> keys =
        IntStream.range(0, settings.load().keys()).mapToObj(each -> "object-" + each).toList();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < settings.load().clients(); i++) {
      TestedApi api = server.connect();
      apis.add(api);
      LoadClient client =
          new LoadClient(i, keys, api, recorder, random.split(), settings.load().pauseMillis());
      threads.add(start(() -> client.run(loads::get)));
    }
    return threads;
  }

  private List<Thread> watch(List<TestedApi> apis, List<WatchClient> watchers) throws IOException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < settings.load().sides().size(); i++) {
      TestedApi api = server.connect();
      apis.add(api);
      WatchClient watcher =
          new WatchClient(
              settings.load().clients() + i,
              settings.load().sides().get(i),
              api,
              recorder,
              random.split());
      watchers.add(watcher);
      threads.add(start(() -> watcher.run(watches::get)));
    }
    return threads;
  }

  /** A task that may be interrupted. */
  private interface Task {
    void run() throws InterruptedException;
  }

  private static Thread start(Task task) {
    return Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            task.run();
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void injectFaults() throws IOException, InterruptedException {
    List<FaultKind> possible = settings.faults().stream().filter(server::supports).toList();
    long end = System.nanoTime() + settings.length().toNanos();
    long next = System.nanoTime() + pause();
    int enough = OPERATIONS_AROUND_FAULT;
    while (System.nanoTime() < end
        || recorder.operations() < Math.max(enough, settings.operations())
        || injected.isEmpty() && !possible.isEmpty()) {
      Thread.sleep(LOOK_MILLIS);
      if (System.nanoTime() > next && recorder.operations() >= enough && !possible.isEmpty()) {
        FaultKind kind = possible.get(random.nextInt(possible.size()));
        injected.merge(kind, 1, Integer::sum);
        server.inject(kind, random);
        next = System.nanoTime() + pause();
        enough = recorder.operations() + OPERATIONS_AROUND_FAULT;
      }
    }
  }

  /** Returns the time until the next fault, in nanoseconds. */
  private long pause() {
    return random.nextLong(1 + settings.betweenFaults().toNanos());
  }

  /** Writes a last object, and returns a text for each watch that does not get this far. */
  private List<String> late(List<WatchClient> watchers) throws IOException, InterruptedException {
    long last = writeLast();
    long end = System.nanoTime() + END_TIMEOUT.toNanos();
    List<String> late = new ArrayList<>();
    for (WatchClient watcher : watchers) {
      while (watcher.revision() < last && System.nanoTime() < end) {
        Thread.sleep(20);
      }
      if (watcher.revision() < last) {
        late.add("a watch never delivers revision %d: %s".formatted(last, watcher));
      }
    }
    return late;
  }

  private long writeLast() throws IOException, InterruptedException {
    try (TestedApi api = server.connect()) {
      long call = recorder.now();
      Content content = new Content("last-a", "");
      Reply reply = api.send("POST", ConfigMaps.PATH, ConfigMaps.body(LAST, content, 0));
      if (reply.code() >= 300) {
        throw new IOException("the server does not write any more: " + reply);
      }
      Outcome outcome = new Outcome.Shown(ConfigMaps.version(reply.body()));
      recorder.add(
          new Operation(-1, LAST, new Action.Create(content), call, recorder.now(), outcome));
      return ConfigMaps.revision(reply.body());
    }
  }
}
