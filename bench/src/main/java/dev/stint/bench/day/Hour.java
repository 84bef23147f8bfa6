package dev.stint.bench.day;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A load of Jobs, and a sample of each minute. */
final class Hour {
  private static final Duration PERIOD = Duration.ofMinutes(1);

  /** How late a Job may be Complete and deleted, on a machine with other work. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Path directory;
  private final DayServer server;
  private final JobTracker tracker = new JobTracker(JobLoad.TIME_TO_LIVE.plus(GRACE));
  private final JobLoad load;
  private final AtomicBoolean goesOn = new AtomicBoolean(true);
  private final long start = System.nanoTime();
  private int createdBefore;

  Hour(Path directory, DayServer server) {
    this.directory = directory;
    this.server = server;
    this.load = new JobLoad(server, tracker);
  }

  static Path samples(Path directory) {
    return directory.resolve("samples.csv");
  }

  /** Returns what went wrong. */
  List<String> run(int jobs, Duration time) throws Exception {
    Thread watch = thread("watch", () -> load.watch(this::goesOn));
    Thread probe = thread("probe", () -> load.probe(this::goesOn));
    Thread creator = thread("load", () -> load.create(jobs, time));
    sampleUntil(time);
    creator.join();
    awaitLast();
    if (!server.isAlive()) {
      tracker.onServerEnded();
    }
    String left = left();
    goesOn.set(false);
    probe.join();
    boolean ended = server.stop();
    watch.join();
    tracker.onEnd();
    if (!ended) {
      tracker.onFault("the server did not end");
    }
    System.out.printf(
        "%,d Jobs created, %,d gone, the slowest after %.0f s; %d creations were sent again;"
            + " %s Jobs, pods and events are left%n",
        tracker.created(),
        tracker.gone(),
        tracker.slowestGoneSeconds(),
        tracker.unanswered(),
        left);
    return tracker.faults();
  }

  private interface Work {
    void run() throws Exception;
  }

  private Thread thread(String name, Work work) {
    return Thread.ofPlatform()
        .name(name)
        .daemon()
        .start(() -> {
          try {
            work.run();
          } catch (Exception fault) {
            tracker.onFault("%s broke off: %s".formatted(name, fault));
          }
        });
  }

  /** True until the end of the load, or of the server: faults that follow from that are none. */
  private boolean goesOn() {
    return goesOn.get() && server.isAlive();
  }

  private void sampleUntil(Duration time) throws InterruptedException {
    for (long n = 1; n <= time.toMinutes(); n++) {
      if (server.endsWithin(PERIOD.multipliedBy(n).minusMillis(millis()))) {
        return;
      }
      try {
        Sample sample = sample();
        Files.writeString(samples(directory), sample.line() + "\n", StandardOpenOption.APPEND);
        System.out.println(sample.line());
      } catch (IOException | UncheckedIOException fault) {
        tracker.onFault("minute %d has no sample: %s".formatted(n, fault));
      }
    }
  }

  /** Returns how many objects are left. */
  private String left() throws InterruptedException {
    if (server.isAlive()) {
      try {
        return "%.0f".formatted(load.objects());
      } catch (IOException fault) {
        tracker.onFault("what is left was not counted: " + fault);
      }
    }
    return "an unknown number of";
  }

  private long millis() {
    return (System.nanoTime() - start) / 1_000_000;
  }

  private Sample sample() throws IOException, InterruptedException {
    LatenciesOfMinute completions = tracker.takeCompletions();
    LatenciesOfMinute creations = load.creations().take();
    LatenciesOfMinute probes = load.probes().take();
    Map<Figure, Double> figures = new EnumMap<>(server.use());
    figures.put(Figure.OBJECTS, load.objects());
    figures.put(Figure.COMPLETE, completions.quantile(0.5));
    figures.put(Figure.COMPLETE_P99, completions.quantile(0.99));
    figures.put(Figure.CREATE, creations.quantile(0.5));
    figures.put(Figure.CREATE_P99, creations.quantile(0.99));
    figures.put(Figure.READY, probes.quantile(0.5));
    figures.put(Figure.READY_P99, probes.quantile(0.99));
    int created = tracker.created();
    figures.put(Figure.CREATED, (double) created - createdBefore);
    createdBefore = created;
    return new Sample(millis() / 1000, figures);
  }

  private void awaitLast() throws InterruptedException {
    Duration most = JobLoad.TIME_TO_LIVE.plus(GRACE).plus(GRACE);
    long end = System.nanoTime() + most.toNanos();
    while (tracker.hasJobs() && server.isAlive() && System.nanoTime() < end) {
      Thread.sleep(100);
    }
  }
}
