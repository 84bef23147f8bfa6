package dev.stint.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The process of the control planes of this JVM. It takes requests from its standard input, and
 * ends when that ends: with this JVM, however that ends.
 */
final class ServerProcess {
  /** Variables with options for any Java, such as a debugger's; they are meant for the test. */
  private static final List<String> OPTIONS =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private static @Nullable ServerProcess running;

  private final Process process;
  private final ServerConnection connection;

  private ServerProcess(Process process) {
    this.process = process;
    this.connection =
        new ServerConnection(process.getOutputStream(), process.getInputStream())
            .start(process::destroyForcibly);
  }

  /** Returns the connection to this JVM's process; starts it on first use, and after its end. */
  static synchronized ServerConnection connect() {
    ServerProcess found = running;
    if (found == null || !found.process.isAlive() || found.connection.hasEnded()) {
      found = start();
      running = found;
    }
    return found.connection;
  }

  private static ServerProcess start() {
    Path home = new JavaRuntimes(System.getProperties(), System.getenv(), Path.of("/")).find();
    try {
      ProcessBuilder builder =
          new ProcessBuilder(
              home.resolve("bin").resolve("java").toString(),
              "-XX:+DisplayVMOutputToStderr", // Standard output is for answers.
              "-Xlog:disable",
              "-Xlog:all=warning:stderr",
              "-XX:+ExitOnOutOfMemoryError",
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              "-Xmx1g",
              "-Dslf4j.internal.verbosity=ERROR", // Nobody configures a log there.
              "--enable-native-access=ALL-UNNAMED",
              "--sun-misc-unsafe-memory-access=allow",
              "-cp",
              ServerJars.classPath(),
              "dev.stint.testkit.TestkitServer");
      OPTIONS.forEach(builder.environment()::remove);
      ServerProcess started =
          new ServerProcess(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
      started.connection.begin(System.getProperty("java.class.path", ""));
      return started;
    } catch (IOException fault) {
      throw new UncheckedIOException(
          "the control plane's JVM cannot be started: " + fault.getMessage(), fault);
    }
  }
}
