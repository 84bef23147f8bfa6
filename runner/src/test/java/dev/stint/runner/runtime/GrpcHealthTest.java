package dev.stint.runner.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.spec.Handler;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames are written as length, type, flags and stream, and then the payload. */
@Timeout(60)
class GrpcHealthTest {
  private static final String SETTINGS = "000000 04 00 00000000";
  private static final String PING = "000008 06 00 00000000 0102030405060708";

  /** A block of headers, which is not read. */
  private static final String HEADERS = "000001 01 04 00000001 88";

  private static final String TRAILERS = "000001 01 05 00000001 88";

  private final LinkedBlockingQueue<String> asked = new LinkedBlockingQueue<>();

  @Test
  void aServerThatIsServingIsHealthy() throws Exception {
    String answer = SETTINGS + PING + HEADERS + "000007 00 00 00000001 00 00000002 0801" + TRAILERS;
    assertThat(check("", answer)).isEqualTo(Handler.Result.GOOD);
    assertThat(check("", HEADERS + "00000a 00 09 00000001 02 00 00000002 0801 0000"))
        .isEqualTo(Handler.Result.GOOD);
    String request = asked.take();
    assertThat(request)
        .startsWith(hex("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
        .contains(hex("/grpc.health.v1.Health/Check"), hex("application/grpc"))
        .endsWith("000005" + "00" + "01" + "00000001" + "0000000000");
  }

  @Test
  void theServiceIsNamed() throws Exception {
    check("db", SETTINGS + TRAILERS);
    assertThat(asked.take())
        .endsWith("000009" + "00" + "01" + "00000001" + "0000000004" + "0a02" + hex("db"));
  }

  @Test
  void anyOtherAnswerIsAFailureAndSaysWhy() throws Exception {
    assertThat(bad(HEADERS + "000007 00 01 00000001 00 00000002 0802"))
        .isEqualTo("service unhealthy (responded with \"NOT_SERVING\")");
    assertThat(bad(HEADERS + "000005 00 01 00000001 00 00000000"))
        .isEqualTo("service unhealthy (responded with \"UNKNOWN\")");
    assertThat(bad(SETTINGS + TRAILERS)).startsWith("no health status: the server does not");
    assertThat(bad(SETTINGS)).isEqualTo("the connection was closed without an answer");
    assertThat(bad("000008 07 00 00000000 0000000000000001"))
        .isEqualTo("the server ended the connection early");
    assertThat(
            bad(
                HexFormat.of()
                    .formatHex("HTTP/1.1 400 Bad\r\n\r\n".getBytes(StandardCharsets.US_ASCII))))
        .isEqualTo("the answer is not HTTP/2");
    assertThat(bad(PING.repeat(100))).isEqualTo("the server sends frames without an end");
    assertThat(bad("000001 00 08 00000001 05")).isEqualTo("the answer is not HTTP/2");
  }

  private String bad(String answer) throws Exception {
    Handler.Result result = check("x", answer);
    assertThat(result.good()).isFalse();
    return result.message();
  }

  private Handler.Result check(String service, String answer) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread thread = Thread.ofVirtual().start(() -> serve(server, answer));
      Handler.Result result =
          NetworkCheck.grpc(new Handler.Grpc(server.getLocalPort(), service), "127.0.0.1").get();
      thread.join();
      return result;
    }
  }

  /** Reads one request to its end, and answers. */
  private void serve(ServerSocket server, String answer) {
    try (Socket socket = server.accept()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      StringBuilder request = new StringBuilder(HexFormat.of().formatHex(in.readNBytes(24)));
      boolean ended = false;
      while (!ended) {
        byte[] head = in.readNBytes(9);
        int length = (head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | head[2] & 0xff;
        request.append(HexFormat.of().formatHex(head));
        request.append(HexFormat.of().formatHex(in.readNBytes(length)));
        ended = head[3] == 0;
      }
      asked.add(request.toString());
      socket.getOutputStream().write(HexFormat.of().parseHex(answer.replace(" ", "")));
      socket.shutdownOutput();
      in.readAllBytes();
    } catch (EOFException early) {
      throw new IllegalStateException(early);
    } catch (IOException reset) {
      // The client has its answer, and reads no more.
    }
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
  }
}
