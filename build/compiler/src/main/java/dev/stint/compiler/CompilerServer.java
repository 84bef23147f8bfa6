package dev.stint.compiler;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.tools.javac.Main;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A javac that compiles for one client after the other, and for several at once. Its classes, and
 * those of the plugins on its class path, are loaded and compiled once for all modules. It ends
 * with the build.
 *
 * <p>The paths in a request are absolute, as Maven's are.
 */
final class CompilerServer {
  private final ServerSocketChannel server;

  CompilerServer(Path socket) throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
  }

  /** Takes the path of the socket, in a directory of its own, and the pid of the build. */
  public static void main(String... args) throws IOException {
    Path socket = Path.of(args[0]);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(socket)));
    ProcessHandle.of(Long.parseLong(args[1]))
        .ifPresentOrElse(
            build -> build.onExit().thenRun(() -> System.exit(0)), () -> System.exit(0));
    CompilerServer compiler = new CompilerServer(socket);
    System.out.println("ready");
    while (true) {
      SocketChannel client = compiler.server.accept();
      new Thread(() -> serve(client), "compilation").start();
    }
  }

  private static void delete(Path socket) {
    try {
      Files.deleteIfExists(socket);
      Files.deleteIfExists(socket.resolveSibling(".").normalize());
    } catch (IOException leftForTheSystem) {
      System.err.println(leftForTheSystem);
    }
  }

  /** Reads the arguments of javac up to the end, and writes its exit status and its output. */
  private static void serve(SocketChannel client) {
    try (client;
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(client))) {
      String request = new String(Channels.newInputStream(client).readAllBytes(), UTF_8);
      StringWriter output = new StringWriter();
      int status = Main.compile(request.split("\0", -1), new PrintWriter(output));
      byte[] text = output.toString().getBytes(UTF_8);
      out.writeInt(status);
      out.writeInt(text.length);
      out.write(text);
    } catch (IOException clientIsGone) {
      System.err.println("no answer could be given: " + clientIsGone);
    }
  }
}
