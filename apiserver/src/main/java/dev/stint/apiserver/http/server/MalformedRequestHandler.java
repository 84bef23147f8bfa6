package dev.stint.apiserver.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers malformed requests, which never become a {@link Call}, such as bad or oversized heads.
 * The answer is one line of text, without internals.
 */
final class MalformedRequestHandler implements Request.Handler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int code = response.getStatus();
    byte[] line = (code + " " + HttpStatus.getMessage(code) + "\n").getBytes(UTF_8);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, ApiResponse.TEXT);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, line.length);
    response.write(true, ByteBuffer.wrap(line), callback);
    return true;
  }
}
