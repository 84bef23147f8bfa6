package dev.stint.runner.container;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** An answer of a daemon, with this body. */
record GivenAnswer(InputStream body) implements Response {
  @Override
  public int getStatusCode() {
    return 200;
  }

  @Override
  public Map<String, List<String>> getHeaders() {
    return Map.of();
  }

  @Override
  public InputStream getBody() {
    return body;
  }

  @Override
  public void close() {}
}
