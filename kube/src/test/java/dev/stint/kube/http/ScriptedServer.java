package dev.stint.kube.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A server on the loopback interface that answers each request with the next of its answers, which
 * are whole messages of HTTP/1.1; each character is a byte. Requests have no bodies of several
 * lines.
 */
public final class ScriptedServer implements AutoCloseable {
  /** An answer without a body. */
  public static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  /** In place of an answer: the server ends the connection after it has read the request. */
  static final String END = "";

  /** At the end of an answer: the server ends the connection after it. */
  static final String CUT = "\u2702";

  /**
   * One request.
   *
   * @param connection the number of its connection, from 0 on
   */
  public record Received(int connection, String line, List<String> headers) {}

  public final BlockingQueue<Received> requests = new LinkedBlockingQueue<>();
  public final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /** The numbers of the connections that a client has ended. */
  final BlockingQueue<Integer> ended = new LinkedBlockingQueue<>();

  final List<Socket> connections = new ArrayList<>();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ServerSocket listener;

  public ScriptedServer() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  public String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  public Received next() throws InterruptedException {
    Received next = requests.poll(60, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no request came");
    }
    return next;
  }

  /**
   * Returns an answer that agrees to a WebSocket.
   *
   * @param seed of the generator of the request's key
   * @param then what the server sends over the WebSocket
   */
  public static String upgraded(long seed, String protocol, String then) {
    byte[] nonce = new byte[16];
    new Random(seed).nextBytes(nonce);
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: "
        + WebSocketStream.accepted(Base64.getEncoder().encodeToString(nonce))
        + "\r\nSec-WebSocket-Protocol: "
        + protocol
        + "\r\n\r\n"
        + then;
  }

  /** Returns a whole message as a frame of at most 125 bytes. */
  public static String frame(int opcode, String payload) {
    return "" + (char) (0x80 | opcode) + (char) payload.length() + payload;
  }

  private void accept() {
    try {
      for (int number = 0; ; number++) {
        Socket socket = listener.accept();
        connections.add(socket);
        int own = number;
        threads.execute(() -> serve(own, socket));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void serve(int number, Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        List<String> headers = new ArrayList<>();
        for (String header = in.readLine();
            header != null && !header.isEmpty();
            header = in.readLine()) {
          headers.add(header);
        }
        requests.add(new Received(number, line, headers));
        String answer = answers.take();
        socket
            .getOutputStream()
            .write(answer.replace(CUT, "").getBytes(StandardCharsets.ISO_8859_1));
        if (answer.equals(END) || answer.endsWith(CUT)) {
          return;
        }
      }
      ended.add(number);
    } catch (IOException | InterruptedException broken) {
      ended.add(number);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.shutdownNow();
  }
}
