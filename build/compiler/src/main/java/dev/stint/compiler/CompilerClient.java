package dev.stint.compiler;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The javac that Maven runs: passes its arguments to the server, which the first client starts. */
final class CompilerClient {
  /** The exit status if there is no server. javac itself never ends with it. */
  static final int NO_SERVER = 75;

  private final BuildState state;

  CompilerClient(BuildState state) {
    this.state = state;
  }

  /** Takes the directory of the state, and the arguments of javac. */
  public static void main(String... args) {
    CompilerClient client = new CompilerClient(new BuildState(Path.of(args[0])));
    System.exit(client.compile(List.of(args).subList(1, args.length)));
  }

  /** Returns the exit status of javac, whose output is printed. */
  int compile(List<String> arguments) {
    try (SocketChannel server = server(arguments).orElse(null)) {
      return server == null ? NO_SERVER : compile(server, arguments);
    } catch (IOException fault) {
      System.err.println("the compiler that stays warm does not work: " + fault);
      return NO_SERVER;
    }
  }

  private static int compile(SocketChannel server, List<String> arguments) throws IOException {
    List<String> ofJavac = arguments.stream().filter(each -> !each.startsWith("-J")).toList();
    Channels.newOutputStream(server).write(String.join("\0", ofJavac).getBytes(UTF_8));
    server.shutdownOutput();
    DataInputStream in = new DataInputStream(Channels.newInputStream(server));
    int status = in.readInt();
    byte[] output = new byte[in.readInt()];
    in.readFully(output);
    System.out.write(output);
    System.out.flush();
    return status;
  }

  /**
   * Returns a connection, unless the build has ended, nothing is to be compiled ({@code -version}),
   * or the server has other plugins.
   */
  private Optional<SocketChannel> server(List<String> arguments) throws IOException {
    Optional<ProcessHandle> build = state.build();
    String processorPath = processorPath(arguments);
    if (build.isEmpty() || processorPath.isEmpty()) {
      return Optional.empty();
    }
    try (FileChannel file =
            FileChannel.open(state.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = file.lock()) {
      Optional<ServerAddress> known = state.server().filter(each -> Files.exists(each.socket()));
      ServerAddress server =
          known.isPresent() ? known.get() : start(build.get(), processorPath, arguments);
      return server.serves(processorPath)
          ? Optional.of(SocketChannel.open(UnixDomainSocketAddress.of(server.socket())))
          : Optional.empty();
    }
  }

  /** Starts a server with the JVM options of this request, and waits until it listens. */
  private ServerAddress start(ProcessHandle build, String processorPath, List<String> arguments)
      throws IOException {
    // The path of a socket must be short.
    Path socket = Files.createTempDirectory("stint-javac").resolve("socket");
    Process process =
        new ProcessBuilder(command(build, socket, processorPath, arguments))
            .redirectError(state.log().toFile())
            .start();
    try (BufferedReader out = process.inputReader()) {
      if (out.readLine() == null) {
        throw new EOFException("see " + state.log());
      }
    }
    ServerAddress server = new ServerAddress(socket, processorPath);
    state.record(server);
    return server;
  }

  private List<String> command(
      ProcessHandle build, Path socket, String processorPath, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    arguments.stream()
        .filter(each -> each.startsWith("-J"))
        .forEach(each -> command.add(each.substring("-J".length())));
    command.add("-cp");
    command.add(state.classes() + File.pathSeparator + processorPath);
    command.add(CompilerServer.class.getName());
    command.add(socket.toString());
    command.add(Long.toString(build.pid()));
    return command;
  }

  /** Returns the jars of the plugins, from the file that holds the arguments. */
  private static String processorPath(List<String> arguments) throws IOException {
    for (String argument : arguments) {
      if (argument.startsWith("@")) {
        List<String> lines = Files.readAllLines(Path.of(argument.substring(1)));
        int at = lines.indexOf("\"-processorpath\"");
        if (at >= 0) {
          return lines.get(at + 1).replace("\"", "");
        }
      }
    }
    return "";
  }
}
