package dev.stint.bench;

import dev.stint.embedded.ApiEndpoint;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.store.engine.RocksEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The API over TLS in its own process, so that its costs are measured without its clients. */
final class ApiHost implements AutoCloseable {
  private final Process process;
  private final String url;

  private ApiHost(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** Serves the API until the standard input ends, and prints its address. */
  public static void main(String[] arguments) throws Exception {
    Path data = Path.of(arguments[0]);
    try (DataDirectory directory = DataDirectory.open(data);
        ControlPlane plane =
            new ControlPlane(RocksEngine.open(directory.store()), ControlPlaneOptions.DEFAULT);
        ApiEndpoint endpoint =
            ApiEndpoint.open(
                plane,
                new ApiEndpoint.Preparation(
                    data.resolve("pki"),
                    InetSocketAddress.createUnresolved("127.0.0.1", 0),
                    plane.clock()),
                null,
                null)) {
      System.out.println(endpoint.url());
      System.in.transferTo(System.err);
    }
  }

  /** Starts an API, with options for its JVM. */
  static ApiHost start(Path data, List<String> options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(options);
    String classPath = System.getProperty("java.class.path");
    command.addAll(List.of("-cp", classPath));
    command.addAll(List.of(ApiHost.class.getName(), data.toString()));
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    try (BufferedReader out = process.inputReader()) {
      String url = out.readLine();
      if (url == null) {
        throw new IOException("the API does not start");
      }
      return new ApiHost(process, url);
    }
  }

  String url() {
    return url;
  }

  /** Returns the processor time that it has used so far. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Returns the bytes of its heap in use after a collection, as {@code jcmd} counts them. */
  long heapInUse() throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process counting =
        new ProcessBuilder(jcmd, Long.toString(process.pid()), "GC.class_histogram").start();
    try (BufferedReader out = counting.inputReader()) {
      String total = out.lines().filter(line -> line.startsWith("Total")).findFirst().orElseThrow();
      return Long.parseLong(total.strip().split("\\s+")[2]);
    }
  }

  @Override
  public void close() throws IOException {
    process.outputWriter().close();
    int status = process.onExit().join().exitValue();
    if (status != 0) {
      throw new IOException("the API ended with status " + status);
    }
  }
}
