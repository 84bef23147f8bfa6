package dev.stint.bench.attack;

import dev.stint.runner.proc.ProcStatus;
import dev.stint.runner.runtime.TrustAll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** A server under attack: {@code stint up} or {@code stint controller}, with a small heap. */
final class AttackedServer implements AutoCloseable {
  private static final Duration SERVER_TIMEOUT = Duration.ofSeconds(60);
  private static final Pattern SERVER = Pattern.compile("server: \"?([^\"\\s]+)");
  private static final Pattern COLLECTION = Pattern.compile("(\\d+)M->(\\d+)M\\(");

  private final Path launcher;
  private final Process process;
  private final Path directory;

  private AttackedServer(Path launcher, Process process, Path directory) {
    this.launcher = launcher;
    this.process = process;
    this.directory = directory;
  }

  /**
   * Starts {@code stint up} and waits until it is ready.
   *
   * @param directory of its data and its logs; may hold those of an earlier start
   */
  static AttackedServer up(Path launcher, Path directory, String heap, List<String> options)
      throws Exception {
    Path kubeconfig = directory.resolve("kubeconfig");
    Files.deleteIfExists(kubeconfig);
    List<String> command = new ArrayList<>(List.of("up", "--listen", "127.0.0.1:0"));
    command.addAll(List.of("--data", directory.resolve("data").toString()));
    command.addAll(List.of("--kubeconfig-out", kubeconfig.toString()));
    command.addAll(options);
    AttackedServer target = start(launcher, directory, heap, command);
    target.awaitReady();
    return target;
  }

  static AttackedServer start(Path launcher, Path directory, String heap, List<String> command)
      throws IOException {
    List<String> all = new ArrayList<>(List.of(launcher.toString()));
    all.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(all)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("out").toFile()))
            .redirectError(ProcessBuilder.Redirect.appendTo(directory.resolve("err").toFile()));
    builder
        .environment()
        .put("STINT_JAVA_OPTS", "-Xmx%s -Xlog:gc:file=%s/gc.log".formatted(heap, directory));
    return new AttackedServer(launcher, builder.start(), directory);
  }

  private void awaitReady() throws Exception {
    long end = System.nanoTime() + SERVER_TIMEOUT.toNanos();
    while (!Files.exists(directory.resolve("kubeconfig")) || !answers()) {
      if (!isAlive() || System.nanoTime() > end) {
        throw new IOException("does not start; see " + directory);
      }
      Thread.sleep(20);
    }
  }

  private boolean answers() throws Exception {
    try (ApiClient client = client(RawConnection.BYSTANDER, "")) {
      return client.get("/readyz").code() == 200;
    }
  }

  String url() throws IOException {
    String text = Files.readString(directory.resolve("kubeconfig"));
    Matcher found = SERVER.matcher(text);
    if (!found.find()) {
      throw new IOException("no server in " + text);
    }
    return found.group(1);
  }

  int port() throws IOException {
    return URI.create(url()).getPort();
  }

  Path launcher() {
    return launcher;
  }

  Path directory() {
    return directory;
  }

  String adminToken() throws IOException {
    return Files.readString(directory.resolve("data/pki/admin.token")).strip();
  }

  ApiClient client(String source, String token) throws IOException {
    return new ApiClient(url(), tls(), source, token);
  }

  RawConnection connect(String protocol, int patienceMillis) throws IOException {
    return RawConnection.tls(RawConnection.ATTACKER, port(), tls(), protocol, patienceMillis);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns the highest resident memory so far; 0 if the process is gone. */
  long highestResident() {
    try {
      return ProcStatus.of(process.pid()).highestResidentBytes();
    } catch (IOException | RuntimeException gone) {
      return 0;
    }
  }

  /** Returns the highest heap before a collection, in MiB; 0 if there was no collection. */
  long highestHeap() throws IOException {
    long highest = 0;
    Matcher found = COLLECTION.matcher(Files.readString(directory.resolve("gc.log")));
    while (found.find()) {
      highest = Math.max(highest, Long.parseLong(found.group(1)));
    }
    return highest;
  }

  /** Returns the first lines of its logs that show a fault. */
  List<String> faults() throws IOException {
    List<String> faults = new ArrayList<>();
    for (Path log : List.of(directory.resolve("err"), directory.resolve("data/stint.log"))) {
      if (Files.exists(log)) {
        try (Stream<String> lines = Files.lines(log)) {
          lines.filter(AttackedServer::isFault).limit(20).forEach(faults::add);
        }
      }
    }
    return faults;
  }

  private static boolean isFault(String line) {
    return line.contains(" ERROR ") || line.contains("OutOfMemory");
  }

  /** Ends it as {@code kill} does; false if it had to be killed. */
  boolean stop() throws InterruptedException {
    process.destroy();
    boolean ended = process.waitFor(SERVER_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    return ended;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Returns a context that trusts every server, since the attacker has no certificate of it. */
  static SSLContext tls() {
    return TrustAll.context();
  }

  /** True if something listens on a port of this machine. */
  static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }
}
