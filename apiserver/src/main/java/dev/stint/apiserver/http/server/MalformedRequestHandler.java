package dev.stint.apiserver.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers malformed requests, which never become a {@link Call}, such as bad or oversized heads.
 * The answer is one line of text, without internals.
 *
 * <p>A connection of HTTP/1.1 ends with it: Jetty may still be busy with the answer when the next
 * request arrives, which would then fail ("channel already completed").
 */
final class MalformedRequestHandler implements Request.Handler {
  private static final int HTTP_2 = HttpVersion.HTTP_2.getVersion();

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int code = response.getStatus();
    byte[] line = (code + " " + HttpStatus.getMessage(code) + "\n").getBytes(UTF_8);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, ApiResponse.TEXT);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, line.length);
    if (request.getConnectionMetaData().getHttpVersion().getVersion() < HTTP_2) {
      response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
    }
    response.write(true, ByteBuffer.wrap(line), callback);
    return true;
  }
}
