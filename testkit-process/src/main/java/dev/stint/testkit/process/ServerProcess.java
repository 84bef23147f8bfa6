package dev.stint.testkit.process;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The process of the control planes of this JVM. It takes requests from its standard input, and
 * ends when that ends: with this JVM, however that ends.
 */
final class ServerProcess {
  private static @Nullable ServerProcess running;

  private final Process process;
  private final DataOutputStream requests;
  private final DataInputStream answers;

  private ServerProcess(Process process) {
    this.process = process;
    this.requests = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    this.answers = new DataInputStream(new BufferedInputStream(process.getInputStream()));
  }

  /** Returns the process of this JVM; starts it on first use, and again if it has ended. */
  static synchronized ServerProcess get() {
    ServerProcess found = running;
    if (found == null || !found.process.isAlive()) {
      found = start();
      running = found;
    }
    return found;
  }

  private static ServerProcess start() {
    Path home = new JavaRuntimes(System.getProperties(), System.getenv()).find();
    try {
      ProcessBuilder builder =
          new ProcessBuilder(
              home.resolve("bin").resolve("java").toString(),
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              "-Xmx1g",
              "-Dslf4j.internal.verbosity=ERROR", // Nobody configures a log there.
              "--enable-native-access=ALL-UNNAMED",
              "--sun-misc-unsafe-memory-access=allow",
              "-cp",
              ServerJars.classPath(),
              "dev.stint.testkit.TestkitServer",
              System.getProperty("java.class.path", ""));
      return new ServerProcess(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException fault) {
      throw new UncheckedIOException("the control plane's JVM cannot be started", fault);
    }
  }

  /** Sends a request and returns the answer. */
  synchronized String ask(List<String> request) {
    try {
      send(request);
      int texts = answers.readInt();
      String outcome = text();
      String first = text();
      if (outcome.equals("ok")) {
        return first;
      }
      throw fault(first, texts > 2 ? text() : "");
    } catch (IOException fault) {
      throw new UncheckedIOException(
          "the control plane's JVM has ended; see its output on standard error", fault);
    }
  }

  private void send(List<String> request) throws IOException {
    requests.writeInt(request.size());
    for (String each : request) {
      byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
      requests.writeInt(bytes.length);
      requests.write(bytes);
    }
    requests.flush();
  }

  private String text() throws IOException {
    byte[] bytes = new byte[answers.readInt()];
    answers.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static RuntimeException fault(String type, String message) {
    return type.equals(IllegalArgumentException.class.getName())
        ? new IllegalArgumentException(message)
        : new IllegalStateException(message);
  }
}
