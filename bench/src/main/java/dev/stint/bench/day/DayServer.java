package dev.stint.bench.day;

import dev.stint.bench.robustness.TestedApi;
import dev.stint.bench.robustness.UpApi;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process of {@code stint up} that runs pods as processes, and what it uses. Needs Linux. */
final class DayServer implements AutoCloseable {
  private static final Pattern HEAP_USED = Pattern.compile(" used (\\d+)K");
  private static final Pattern METASPACE = Pattern.compile("(?m)^ Metaspace.*$");

  private final UpApi api;
  private final Process process;

  private DayServer(UpApi api, Process process) {
    this.api = api;
    this.process = process;
  }

  static DayServer start(Path launcher, Path directory, List<String> options)
      throws IOException, InterruptedException {
    UpApi api = UpApi.of(directory.resolve("data"));
    List<String> command =
        Stream.concat(
                Stream.of(launcher.toString(), "up", "--listen", api.address(), "--data"),
                Stream.concat(Stream.of(api.data().toString()), options.stream()))
            .toList();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("out").toFile()));
    builder.environment().put("STINT_JAVA_OPTS", "-Xmx512m");
    DayServer server = new DayServer(api, builder.start());
    api.awaitReady(server.process::isAlive);
    return server;
  }

  TestedApi connect(HttpClient.Version version) throws IOException {
    return api.connect(version);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits; true if the process ends before. */
  boolean endsWithin(Duration time) throws InterruptedException {
    return process.waitFor(time);
  }

  /** Returns what the process and its data directory take now. */
  Map<Figure, Double> use() throws IOException, InterruptedException {
    jcmd("GC.run");
    List<String> disk = output("du", "-sk", api.data().toString());
    List<String> files = output("du", "-s", "--inodes", api.data().toString());
    return Map.of(
        Figure.HEAP,
        heapBytes(jcmd("GC.heap_info")) / 1e6,
        Figure.RESIDENT,
        status("VmRSS") * 1024 / 1e6,
        Figure.THREADS,
        status("Threads"),
        Figure.DESCRIPTORS,
        descriptors(),
        Figure.DISK,
        firstNumber(disk) * 1024 / 1e6,
        Figure.FILES,
        firstNumber(files),
        Figure.LOAD,
        firstNumber(List.of(Files.readString(Path.of("/proc/loadavg")))));
  }

  /** Returns what {@code GC.heap_info} calls used, in all generations. */
  static double heapBytes(String info) {
    Matcher used = HEAP_USED.matcher(METASPACE.split(info)[0]);
    double sum = 0;
    while (used.find()) {
      sum += Long.parseLong(used.group(1)) * 1024.0;
    }
    return sum;
  }

  private double descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return open.count();
    }
  }

  private double status(String field) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
      if (line.startsWith(field + ":")) {
        return firstNumber(List.of(line.substring(field.length() + 1).strip()));
      }
    }
    throw new IOException("no " + field + " in " + status);
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin/jcmd");
    return String.join("\n", output(jcmd.toString(), Long.toString(process.pid()), command));
  }

  private static double firstNumber(List<String> lines) {
    return Double.parseDouble(lines.getFirst().split("\\s+")[0]);
  }

  private static List<String> output(String... command) throws IOException, InterruptedException {
    // Files that go away while du looks make it complain.
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    List<String> lines;
    try (var reader = process.inputReader()) {
      lines = reader.readAllLines();
    }
    process.waitFor();
    if (lines.isEmpty()) {
      throw new IOException("no output of " + String.join(" ", command));
    }
    return lines;
  }

  /** Ends it as {@code kill} does; false if it had to be killed. */
  boolean stop() throws InterruptedException {
    process.destroy();
    return process.waitFor(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
