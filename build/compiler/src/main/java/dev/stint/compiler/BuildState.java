package dev.stint.compiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The directory in which the parts of the compiler tell each other what they need to know. */
record BuildState(Path directory) {
  /** The classes of this package, as Maven has not compiled them yet. */
  Path classes() {
    return directory.resolve("classes");
  }

  /** The server's output about its own faults. */
  Path log() {
    return directory.resolve("server.log");
  }

  /** A file that is locked while one client starts the server. */
  Path lock() {
    return directory.resolve("lock");
  }

  /**
   * Records which JDK compiles, and which process the server ends with. Forgets the server of
   * another build.
   */
  void prepare(Path jdk, ProcessHandle build) throws IOException {
    Files.deleteIfExists(directory.resolve("server"));
    Files.writeString(directory.resolve("build"), identity(build));
    Files.writeString(directory.resolve("home"), jdk.toString());
  }

  /** Returns the build that prepared this directory, if it still runs. */
  Optional<ProcessHandle> build() throws IOException {
    String recorded = Files.readString(directory.resolve("build"));
    return ProcessHandle.of(Long.parseLong(recorded.substring(0, recorded.indexOf(' '))))
        .filter(process -> identity(process).equals(recorded));
  }

  /** Pids are used again, so the time of the start belongs to the identity. */
  private static String identity(ProcessHandle process) {
    return process.pid() + " " + process.info().startInstant().orElseThrow();
  }

  /** Records a server that accepts requests. */
  void record(ServerAddress server) throws IOException {
    Files.writeString(directory.resolve("server"), server.socket() + "\n" + server.processorPath());
  }

  /** Returns the server that was started last, which may have ended. */
  Optional<ServerAddress> server() throws IOException {
    Path file = directory.resolve("server");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    List<String> lines = Files.readString(file).lines().toList();
    return Optional.of(new ServerAddress(Path.of(lines.get(0)), lines.get(1)));
  }
}
