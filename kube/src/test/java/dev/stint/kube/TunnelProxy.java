package dev.stint.kube;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A proxy that opens tunnels on the loopback interface, whatever the target's host is: for HTTP
 * (RFC 9110, CONNECT) and for SOCKS 5 (RFC 1928).
 */
final class TunnelProxy implements AutoCloseable {
  /** The lines of the requests for tunnels, or the host and port that SOCKS was asked for. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  /** True if it opens no tunnels for HTTP. */
  volatile boolean isForbidden;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ServerSocket listener;

  TunnelProxy() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        threads.execute(() -> serve(client));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void serve(Socket client) {
    try (client) {
      DataInputStream in = new DataInputStream(client.getInputStream());
      int first = in.readUnsignedByte();
      int port = first == 5 ? socks(in, client.getOutputStream()) : http(first, in);
      if (isForbidden) {
        client
            .getOutputStream()
            .write("HTTP/1.1 403 No\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return;
      }
      try (Socket target = new Socket(InetAddress.getLoopbackAddress(), port)) {
        String granted = first == 5 ? "\5\0\0\1\0\0\0\0\0\0" : "HTTP/1.1 200 Established\r\n\r\n";
        client.getOutputStream().write(granted.getBytes(StandardCharsets.ISO_8859_1));
        threads.execute(() -> copy(target, client));
        in.transferTo(target.getOutputStream());
      }
    } catch (IOException broken) {
      // An end is an end.
    }
  }

  private int http(int first, InputStream in) throws IOException {
    StringBuilder head = new StringBuilder().append((char) first);
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.read());
    }
    head.toString().lines().filter(line -> !line.isEmpty()).forEach(asked::add);
    String line = head.substring(0, head.indexOf(" HTTP/"));
    return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
  }

  private int socks(DataInputStream in, OutputStream out) throws IOException {
    in.skipNBytes(in.readUnsignedByte());
    out.write(new byte[] {5, 0});
    in.skipNBytes(4);
    String host = new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.US_ASCII);
    int port = in.readUnsignedShort();
    asked.add(host + ":" + port);
    return port;
  }

  private static void copy(Socket from, Socket to) {
    try (from) {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException broken) {
      // An end is an end.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.shutdownNow();
  }
}
