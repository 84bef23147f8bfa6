package dev.stint.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.cli.config.Configuration;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.Logging;
import dev.stint.cli.output.ProcessSignals;
import dev.stint.cli.output.StandardOutput;
import dev.stint.store.engine.RocksLibrary;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The launcher's training run, once for each cache of a build. Unpacks the native library into the
 * build, and runs every kind of command that should start fast. Meanwhile the JVM records the
 * classes that the commands load, and keeps them loaded and linked for later starts.
 */
final class CacheTraining {
  private static final String SERVING = "Serving ";

  private CacheTraining() {}

  /**
   * Runs the commands.
   *
   * @param args the directory of examples, and the kind of the cache: {@code short}, {@code
   *     serving} or {@code cluster}
   */
  public static void main(String[] args) throws Exception {
    String natives = System.getProperty(RocksLibrary.DIRECTORY_PROPERTY);
    if (natives != null) {
      RocksLibrary.unpackInto(Path.of(natives));
      Logging.toFile(Path.of(natives).resolveSibling("training-stint.log"));
    }
    Path scratch = Files.createTempDirectory("stint-training");
    Path examples = Path.of(args[0]);
    switch (args[1]) {
      case "short" -> run(examples, scratch);
      case "serving" -> {
        run(examples, scratch);
        CacheTrainingServer server = new CacheTrainingServer(scratch);
        server.run();
        server.run();
      }
      case "cluster" -> new CacheTrainingCluster(examples.resolve("hello.yaml"), scratch).run();
      default -> throw new IllegalArgumentException(args[1]);
    }
  }

  /**
   * Runs each kind of command once.
   *
   * @param scratch a directory for its files, which are left behind
   */
  static void run(Path examples, Path scratch) {
    var _ = StandardOutput.ofProcess().stream(UTF_8).checkError(); // Main has it, and its console.
    var _ = Console.ofProcess();
    String hello = examples.resolve("hello.yaml").toString();
    Console console = console(OutputStream.nullOutputStream());
    new StintCommand(console).run("version");
    new StintCommand(console).run("validate", hello);
    new StintCommand(console).run("validate", "--nonsense");
    new StintCommand(console).run("--help");
    Main.prepare("run");
    new StintCommand(console).run("run", hello, "--data", scratch.toString());
    new StintCommand(console).run("show", "hello", "--data", scratch.toString());
    new StintCommand(console)
        .run("run", "--each", hello, "--data", scratch.toString(), "--", "true");
  }

  /** Returns a console without input and errors, for a command in this process. */
  static Console console(OutputStream out) {
    return new Console(
        InputStream.nullInputStream(),
        new PrintStream(out, true, UTF_8),
        new PrintStream(OutputStream.nullOutputStream(), false, UTF_8),
        environment(),
        false,
        80,
        new ProcessSignals());
  }

  /** Waits until an {@code up} serves that prints here, and returns its address. */
  static String awaitServing(InputStream printed) throws IOException {
    String line = new BufferedReader(new InputStreamReader(printed, UTF_8)).readLine();
    if (line == null || !line.startsWith(SERVING)) {
      throw new IllegalStateException("up does not serve: " + line);
    }
    return line.substring(SERVING.length());
  }

  /** Returns the environment, without anybody's configuration. */
  private static Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put(Configuration.VARIABLE, Configuration.NO_FILE);
    return environment;
  }
}
