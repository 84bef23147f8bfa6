package dev.stint.bench.kills;

import dev.stint.bench.disk.Directories;
import dev.stint.bench.disk.FaultyDisk;
import dev.stint.bench.disk.FullDiskMessage;
import dev.stint.bench.robustness.UpApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Loads {@code stint up} on a disk that is full from one of its growths on, and that has room again
 * after a while; if the server has ended, it is started again. What was acknowledged is there, all
 * Jobs complete, no index runs twice, and the user is told of the disk. See {@code bench/disk}.
 */
public final class FullDiskUp {
  private static final int WRITES = 12;
  private static final Duration FULL = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** The message of a server that ends as soon as its pods have. */
  private static final String ENDS = "the store refuses writes until it is restarted";

  private final Path stint;
  private final Path scratch;
  private final FaultyDisk disk;
  private final UpApi server;
  private final JobFile file;
  private final List<String> faults = new ArrayList<>();
  private int writes;
  private long end;
  private boolean hasFilled;

  private FullDiskUp(Path library, Path stint, Path scratch) throws IOException {
    Directories.deleteAll(scratch);
    this.stint = stint;
    this.scratch = scratch;
    this.disk = FaultyDisk.of(library, scratch.resolve("data"), scratch.resolve("disk"));
    this.server = UpApi.of(scratch.resolve("data"));
    this.file = UpRound.file(Files.createDirectories(scratch.resolve("work")), JobFile.NO_IMAGE);
  }

  /**
   * Arguments: the library of faults, a directory, the step between two growths, the command, the
   * first growth.
   */
  public static void main(String[] arguments) throws Exception {
    Path library = Path.of(arguments[0]);
    Path directory = Path.of(arguments[1]).toAbsolutePath();
    int step = Integer.parseInt(arguments[2]);
    Path stint = Path.of(arguments[3]).toAbsolutePath();
    Map<String, Integer> ends = new TreeMap<>();
    int faults = 0;
    int writes = 0;
    long from = Long.parseLong(arguments[4]);
    long at = from;
    long growths;
    do {
      FullDiskUp run = new FullDiskUp(library, stint, directory.resolve("up-" + at));
      String outcome = run.fill(at);
      System.out.printf("full at growth %d: %s, %d writes%n", at, outcome, run.writes);
      ends.merge(outcome, 1, Integer::sum);
      growths = run.disk.control().growths();
      writes += run.writes;
      faults += run.report(at);
      at += step;
    } while (growths >= at - step);
    System.out.printf(
        "growths %d to %d of up, full at one in %d; ends, and how often: %s;"
            + " %d writes were acknowledged%n",
        from, at - step, step, ends, writes);
    System.out.println(faults == 0 ? "nothing is lost" : faults + " bad runs");
    System.exit(faults == 0 ? 0 : 1);
  }

  /** Prints what is wrong. Returns the number of bad runs, 1 or 0. */
  private int report(long at) throws IOException {
    if (faults.isEmpty()) {
      Directories.deleteAll(scratch);
      return 0;
    }
    faults.stream()
        .limit(5)
        .forEach(each -> System.out.println("full at growth " + at + ": " + each));
    System.out.println("kept: " + scratch);
    return 1;
  }

  /** Returns how the server took it. */
  private String fill(long at) throws IOException, InterruptedException {
    disk.control().setFullAt(at);
    JobClient client = new JobClient(server, file, new SplittableRandom(at));
    Process up = start();
    end = System.nanoTime() + LONGEST.toNanos();
    client.run(() -> up.isAlive() && isUnderWay(client, at));
    boolean wasFull = disk.control().growths() >= at;
    disk.control().makeRoom();
    if (output().contains(ENDS)) {
      up.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    }
    String outcome = up.isAlive() ? "goes on" : "status " + up.waitFor();
    if (up.isAlive()) {
      check(client, up);
    } else {
      faults.addAll(FullDiskMessage.faults(up.exitValue(), output()));
      check(client, start());
    }
    return wasFull ? outcome : "was not full";
  }

  /** False once the disk has been full for a while, or when there was load enough. */
  private boolean isUnderWay(JobClient client, long at) {
    boolean isFull = disk.control().growths() >= at;
    if (isFull && !hasFilled) {
      hasFilled = true;
      end = Math.min(end, System.nanoTime() + FULL.toNanos());
    }
    return System.nanoTime() < end && (isFull || client.ledger().acknowledged() < WRITES);
  }

  private Process start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                stint.toString(),
                "up",
                "--data",
                server.data().toString(),
                "--listen",
                server.address(),
                "--pod-failure-backoff=100ms")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(scratch.resolve("output").toFile()));
    builder.environment().putAll(disk.environment());
    builder.environment().remove("STINT_FAULTS_LOG");
    return builder.start();
  }

  private String output() throws IOException {
    return Files.readString(scratch.resolve("output"));
  }

  private void check(JobClient client, Process up) throws InterruptedException {
    try {
      server.awaitReady(up::isAlive);
      Map<String, Map<Integer, Integer>> finished = new HashMap<>();
      faults.addAll(
          LoadCheck.violations(
              server,
              client,
              file,
              true,
              job -> finished.computeIfAbsent(job, _ -> new HashMap<>())));
    } catch (IOException broken) {
      faults.add("does not work though there is room again: " + broken);
    }
    writes = client.ledger().acknowledged();
    up.destroyForcibly().waitFor();
  }
}
