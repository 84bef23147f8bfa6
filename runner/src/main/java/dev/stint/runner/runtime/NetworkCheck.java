package dev.stint.runner.runtime;

import dev.stint.runner.spec.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs HTTP, TCP and gRPC handlers for all runtimes. Its HTTP client reads no more than the first
 * line of an answer, accepts any certificate and any header (also Host), follows no redirect, and
 * keeps no connection.
 */
public final class NetworkCheck {
  static final String USER_AGENT = "kube-probe/1.36";
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/\\d(?:\\.\\d)? (\\d{3})\\b.*");
  private static final Pattern CONTROLS = Pattern.compile("[\\x00-\\x1f\\x7f]");
  private static final int STATUS_LINE_MAX = 1024;
  private static final HostLookup LOOKUP = new HostLookup(InetAddress::getByName);

  private NetworkCheck() {}

  /**
   * Sends a GET.
   *
   * @param podIp the address if the handler names no host
   * @return the result; cancelling it closes the connection
   */
  public static CompletableFuture<Handler.Result> http(Handler.HttpGet get, String podIp) {
    return apart(() -> get(get, get.host().isEmpty() ? podIp : get.host()));
  }

  /** Opens a connection and closes it; otherwise like {@link #http}. */
  public static CompletableFuture<Handler.Result> tcp(Handler.TcpSocket tcp, String podIp) {
    return apart(() -> {
      try (Socket _ = connect(tcp.host().isEmpty() ? podIp : tcp.host(), tcp.port())) {
        return Handler.Result.GOOD;
      }
    });
  }

  /** Asks a gRPC server whether it is serving; otherwise like {@link #http}. */
  public static CompletableFuture<Handler.Result> grpc(Handler.Grpc grpc, String podIp) {
    return apart(() -> {
      try (Socket socket = connect(podIp, grpc.port())) {
        return GrpcHealth.check(socket, authority(podIp, grpc.port()), grpc.service());
      }
    });
  }

  /**
   * Runs a blocking task on a thread of its own, which is interrupted when the future is cancelled:
   * a virtual thread is not held by a socket then.
   */
  public static CompletableFuture<Handler.Result> apart(Callable<Handler.Result> blocking) {
    CompletableFuture<Handler.Result> answer = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .name("stint-handler")
            .start(() -> {
              try {
                answer.complete(blocking.call());
              } catch (IOException fault) {
                answer.complete(Handler.Result.bad(String.valueOf(fault.getMessage())));
              } catch (Exception fault) {
                answer.completeExceptionally(fault);
              }
            });
    answer.whenComplete((_, _) -> {
      if (answer.isCancelled()) {
        thread.interrupt();
      }
    });
    return answer;
  }

  private static Socket connect(String host, int port) throws IOException {
    if (port <= 0) {
      throw new IOException("the container has no port with that name");
    }
    InetAddress address = LOOKUP.address(host);
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(address, port));
      return socket;
    } catch (IOException fault) {
      socket.close();
      throw new IOException("%s:%d: %s".formatted(host, port, fault.getMessage()), fault);
    }
  }

  private static Handler.Result get(Handler.HttpGet get, String host) throws IOException {
    String request = request(get, host);
    try (Socket plain = connect(host, get.port());
        Socket socket = get.tls() ? encrypted(plain, host, get.port()) : plain) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.UTF_8));
      out.flush();
      return verdict(firstLine(socket.getInputStream()));
    }
  }

  private static Handler.Result verdict(String line) {
    Matcher matcher = STATUS_LINE.matcher(line);
    if (!matcher.matches()) {
      return Handler.Result.bad("the answer is not HTTP");
    }
    int code = Integer.parseInt(matcher.group(1));
    return code >= 200 && code < 400
        ? Handler.Result.GOOD
        : Handler.Result.bad("HTTP probe failed with statuscode: " + code);
  }

  private static String request(Handler.HttpGet get, String host) throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Host", authority(host, get.port()));
    headers.put("User-Agent", USER_AGENT);
    headers.put("Accept", "*/*");
    headers.putAll(get.headers());
    headers.put("Connection", "close");
    StringBuilder request = new StringBuilder();
    request.append("GET ").append(line(get.path()).replace(" ", "%20")).append(" HTTP/1.1\r\n");
    for (Map.Entry<String, String> header : headers.entrySet()) {
      request.append(line(header.getKey())).append(": ").append(line(header.getValue()));
      request.append("\r\n");
    }
    return request.append("\r\n").toString();
  }

  private static String authority(String host, int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  private static String line(String text) throws IOException {
    if (CONTROLS.matcher(text).find()) {
      throw new IOException("a path or header of the probe has a control character in it");
    }
    return text;
  }

  private static String firstLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    while (next >= 0 && next != '\n' && line.length() < STATUS_LINE_MAX) {
      line.append((char) next);
      next = in.read();
    }
    return line.toString().stripTrailing();
  }

  private static Socket encrypted(Socket plain, String host, int port) throws IOException {
    return TrustAll.context().getSocketFactory().createSocket(plain, host, port, true);
  }
}
