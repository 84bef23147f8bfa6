package dev.stint.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.store.engine.RocksLibrary;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * The JVM in which tests start commands as processes of their own. It uses a cache of loaded and
 * linked classes, as the launcher does, which saves most of the cost of a start.
 *
 * <p>All commands use the cache of those that serve. The launcher has a smaller one for others,
 * which starts them a little faster; to make it would cost the tests more than it saves.
 *
 * <p>The JVM does not notice when such a cache does not match its jars (JDK-8377932). So both are
 * in one directory, which is named after the SHA-256 of all classes (of the checksums of those in
 * jars) and never changes.
 */
public final class CommandJvm {
  private static final Path ALL = Path.of("target", "command-jvm").toAbsolutePath();

  /** The class path of the launcher, which Maven writes before the tests. */
  private static final Path RUNTIME = Path.of("target", "classpath");

  /** As the launcher does: methods are compiled only after more calls. */
  private static final List<String> LATE =
      List.of(
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-AOTReplayTraining",
          "-XX:Tier3InvocationThreshold=1000",
          "-XX:Tier3MinInvocationThreshold=500",
          "-XX:Tier3CompileThreshold=5000");

  private static final CommandJvm PREPARED = prepared();

  private final Path directory;
  private final List<Path> jars;

  private CommandJvm(Path directory, List<Path> jars) {
    this.directory = directory;
    this.jars = jars;
  }

  /** Returns the start of a command line; the arguments of {@code stint} follow. */
  public static List<String> command() {
    List<String> command = new ArrayList<>(PREPARED.java("-XX:AOTCache=" + PREPARED.cache()));
    command.addAll(LATE);
    command.add(Main.class.getName());
    return command;
  }

  private static CommandJvm prepared() {
    try {
      List<Path> classPath = classPath();
      Path directory = Files.createDirectories(ALL.resolve(hash(classPath)));
      List<Path> jars = new ArrayList<>();
      for (Path entry : classPath) {
        jars.add(cacheable(entry, directory.resolve(jars.size() + ".jar")));
      }
      CommandJvm jvm = new CommandJvm(directory, jars);
      jvm.train();
      return jvm;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns the class path of the classes under test, without test dependencies. */
  private static List<Path> classPath() throws IOException {
    String runtime = Files.exists(RUNTIME) ? Files.readString(RUNTIME) : "";
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(entry -> entry.isAbsolute() && Files.exists(entry))
        .filter(entry -> !entry.endsWith("test-classes"))
        .filter(
            entry -> Files.isDirectory(entry) || runtime.contains(entry.getFileName().toString()))
        .toList();
  }

  private static String hash(List<Path> classPath) throws IOException {
    try (DigestOutputStream all =
        new DigestOutputStream(
            OutputStream.nullOutputStream(), MessageDigest.getInstance("SHA-256"))) {
      all.write(Runtime.version().toString().getBytes(UTF_8));
      for (Path entry : classPath) {
        for (Path file : files(entry)) {
          all.write(file.toString().getBytes(UTF_8));
          write(file, all);
        }
      }
      return HexFormat.of().formatHex(all.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Writes a file, or of a jar its names, sizes and checksums: all jars are 100 MB. */
  private static void write(Path file, OutputStream out) throws IOException {
    if (!file.toString().endsWith(".jar")) {
      Files.copy(file, out);
      return;
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        String line = entry.getName() + " " + entry.getSize() + " " + entry.getCrc() + "\n";
        out.write(line.getBytes(UTF_8));
      }
    }
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> found = Files.walk(root)) {
      return found.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Returns an entry in the form that a cache supports, as the launcher does. */
  private static Path cacheable(Path entry, Path copy) throws IOException {
    if (Files.isDirectory(entry)) {
      pack(entry, copy);
    } else if (!Files.exists(copy)) {
      Path unfinished = copy.resolveSibling(copy.getFileName() + ".unfinished");
      CacheJars.copy(entry, unfinished);
      Files.move(unfinished, copy);
    }
    return copy;
  }

  private static void pack(Path root, Path jar) throws IOException {
    if (Files.exists(jar)) {
      return;
    }
    Path unfinished = jar.resolveSibling(jar.getFileName() + ".unfinished");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(unfinished))) {
      for (Path file : files(root)) {
        out.putNextEntry(new JarEntry(root.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
    Files.move(unfinished, jar);
  }

  private void train() throws IOException {
    if (Files.exists(cache())) {
      return;
    }
    Path unfinished = directory.resolve("unfinished.aot");
    Path log = directory.resolve("training.log");
    List<String> command =
        new ArrayList<>(java("-XX:AOTCacheOutput=" + unfinished, CacheTraining.class.getName()));
    command.addAll(List.of(Path.of("..", "examples").toString(), "serving"));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("no cache can be made: " + Files.readString(log));
    }
    Files.move(unfinished, cache());
  }

  private Path cache() {
    return directory.resolve("commands.aot");
  }

  private List<String> java(String... more) {
    Stream<String> options =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-D" + RocksLibrary.DIRECTORY_PROPERTY + "=" + directory.resolve("native"),
            "-cp",
            String.join(File.pathSeparator, jars.stream().map(Path::toString).toList()));
    return Stream.concat(options, Arrays.stream(more)).toList();
  }
}
