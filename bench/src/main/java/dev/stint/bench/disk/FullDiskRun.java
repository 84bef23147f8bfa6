package dev.stint.bench.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs a Job with {@code stint run} on a disk that is full from one of its growths on, and that has
 * room again after a while. Whatever happens, the Job completes: at once, or when the same command
 * is given again; the user is told of the disk, and sees no fault of Stint's own.
 */
final class FullDiskRun {
  private static final int INDEXES = 4;
  private static final Duration FULL = Duration.ofSeconds(3);
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final Path stint;
  private final Path scratch;
  private final FaultyDisk disk;
  private final List<String> faults = new ArrayList<>();
  private int repetitions;
  private long growths;

  private FullDiskRun(Path stint, Path scratch, FaultyDisk disk) {
    this.stint = stint;
    this.scratch = scratch;
    this.disk = disk;
  }

  /**
   * Fills the disk at every {@code step}th growth of a run.
   *
   * @param stint the command
   * @return what was wrong
   */
  static List<String> all(Path library, Path directory, Path stint, int step)
      throws IOException, InterruptedException {
    List<String> faults = new ArrayList<>();
    Map<Integer, Integer> ends = new TreeMap<>();
    int repetitions = 0;
    long at = 1;
    while (true) {
      Path scratch = directory.resolve("run");
      Directories.deleteAll(scratch);
      Files.createDirectories(scratch);
      FaultyDisk disk = FaultyDisk.of(library, scratch.resolve("data"), scratch.resolve("disk"));
      FullDiskRun run = new FullDiskRun(stint, scratch, disk);
      ends.merge(run.fill(at), 1, Integer::sum);
      repetitions += run.repetitions;
      for (String fault : run.faults) {
        faults.add("full at growth %d: %s".formatted(at, fault));
      }
      if (run.growths < at) {
        break;
      }
      at += step;
    }
    System.out.printf(
        "%d growths of a run, full at one in %d; exit statuses, and how often: %s; indexes that ran again: %d%n",
        at - 1, step, ends, repetitions);
    return faults;
  }

  private int fill(long at) throws IOException, InterruptedException {
    Path done = scratch.resolve("done");
    Files.createFile(done);
    Files.writeString(scratch.resolve("job.yaml"), job(done));
    disk.control().setFullAt(at);
    int status = run(at);
    growths = disk.control().growths();
    if (status != 0) {
      faults.addAll(FullDiskMessage.faults(status, Files.readString(scratch.resolve("output"))));
      disk.control().setFullAt(0);
      int again = run(0);
      if (again != 0) {
        faults.add("ended with %d, and with %d once there was room".formatted(status, again));
      }
    }
    List<String> ended = Files.readAllLines(done);
    repetitions = Math.max(0, ended.size() - INDEXES);
    IntStream.range(0, INDEXES)
        .filter(index -> !ended.contains(Integer.toString(index)))
        .forEach(index -> faults.add("index " + index + " never ran, exit status " + status));
    return status;
  }

  private static String job(Path done) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: full}
    spec:
      completions: %d
      parallelism: 2
      completionMode: Indexed
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: none
            command: [sh, -c, 'echo $JOB_COMPLETION_INDEX; echo $JOB_COMPLETION_INDEX >> %s']
    """
        .formatted(INDEXES, done);
  }

  /** Runs the command, and makes room when the disk has been full for a while. */
  private int run(long at) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                stint.toString(),
                "run",
                scratch.resolve("job.yaml").toString(),
                "--data",
                scratch.resolve("data").toString())
            .redirectErrorStream(true)
            .redirectOutput(scratch.resolve("output").toFile());
    builder.environment().putAll(disk.environment());
    builder.environment().remove("STINT_FAULTS_LOG");
    Process process = builder.start();
    long end = System.nanoTime() + LONGEST.toNanos();
    long room = Long.MAX_VALUE;
    while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
      long now = System.nanoTime();
      if (at > 0 && room == Long.MAX_VALUE && disk.control().growths() >= at) {
        room = now + FULL.toNanos();
      }
      if (now > room) {
        disk.control().makeRoom();
      }
      if (now > end) {
        process.destroyForcibly().waitFor();
        faults.add("did not end in " + LONGEST.toSeconds() + " s, though there was room again");
        return process.exitValue();
      }
    }
    return process.exitValue();
  }
}
