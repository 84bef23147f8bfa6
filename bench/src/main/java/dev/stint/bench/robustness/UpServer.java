package dev.stint.bench.robustness;

import dev.stint.bench.disk.FaultyDisk;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A process of {@code stint up}, on a machine that fails on request if there is a compiler. */
final class UpServer implements TestedServer {
  /** A note that breaks a law. */
  static final String ENDED_BY_ITSELF = "the server ended by itself";

  private final Path launcher;
  private final Path directory;
  private final UpApi api;
  private final @Nullable FaultyDisk disk;
  private final HistoryRecorder recorder;
  private @Nullable Process process;
  private int connections;

  /**
   * @param library the compiled {@code faults.c}; null if there is none
   */
  UpServer(Path launcher, Path directory, @Nullable Path library, HistoryRecorder recorder)
      throws IOException {
    this.launcher = launcher;
    this.directory = directory;
    this.recorder = recorder;
    this.api = UpApi.of(data());
    this.disk = library == null ? null : FaultyDisk.of(library, data(), directory.resolve("disk"));
  }

  private Path data() {
    return directory.resolve("data");
  }

  @Override
  public void start() throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                launcher.toString(),
                "up",
                "--data",
                data().toString(),
                "--listen",
                api.address(),
                "--controllers=none",
                "--runtime=none")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("out").toFile()));
    builder.environment().put("STINT_JAVA_OPTS", "-Xmx256m");
    if (disk != null) {
      builder.environment().putAll(disk.environment());
    }
    recorder.onStart();
    process = builder.start();
    api.awaitReady(this::isAlive);
  }

  @Override
  public void kill() {
    Process killed = process;
    if (killed != null) {
      killed.destroyForcibly().onExit().join();
      recorder.onDeath();
    }
  }

  @Override
  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  @Override
  public TestedApi connect() throws IOException {
    boolean isOld = connections++ % 2 == 1;
    return api.connect(isOld ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2);
  }

  @Override
  public boolean supports(FaultKind kind) {
    return disk != null || !kind.needsMachine();
  }

  @Override
  public void inject(FaultKind kind, RandomGenerator random)
      throws IOException, InterruptedException {
    expectAlive();
    switch (kind) {
      case KILL -> kill();
      case PAUSE -> {
        signal("STOP");
        Thread.sleep(200 + random.nextInt(1800));
        signal("CONT");
        expectAlive();
      }
      case SLOW_DISK -> {
        disk().control().setSyncDelay(Duration.ofMillis(30 + random.nextInt(300)));
        Thread.sleep(1000 + random.nextInt(2000));
        disk().control().setSyncDelay(Duration.ZERO);
        expectAlive();
      }
      case FULL_DISK -> {
        disk().control().setFull(true);
        awaitDeath();
        disk().control().setFull(false);
      }
      case POWER_LOSS -> {
        kill();
        disk().losePower(random);
      }
      case CLOCK_JUMP -> {
        boolean isBack = random.nextInt(3) == 0;
        disk()
            .control()
            .setClockOffset(
                isBack ? Duration.ZERO : Duration.ofSeconds(random.nextInt(-7200, 7200)));
      }
    }
    if (!isAlive()) {
      recorder.onDeath();
      start();
    }
  }

  /** Notes that the server has ended, which nothing gave it a reason for. */
  private void expectAlive() {
    if (!isAlive()) {
      recorder.note(ENDED_BY_ITSELF);
    }
  }

  private FaultyDisk disk() {
    if (disk == null) {
      throw new IllegalStateException("this machine does not fail on request");
    }
    return disk;
  }

  /** Waits for the end of a server that cannot write any more; kills it if it goes on. */
  private void awaitDeath() throws InterruptedException {
    if (process != null && !process.waitFor(15, TimeUnit.SECONDS)) {
      recorder.note("survived a full disk");
      kill();
    }
  }

  private void signal(String name) throws IOException, InterruptedException {
    if (process != null) {
      List<String> command = List.of("kill", "-" + name, Long.toString(process.pid()));
      new ProcessBuilder(command).start().waitFor();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
