package dev.stint.kube.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.Interceptor.RequestTags;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/** The headers that fabric8 gives each request: a token or a password, and who is impersonated. */
final class Credentials {
  private final List<Interceptor> interceptors;
  private final boolean hasAuthProvider;
  private final RequestTags tags;

  Credentials(List<Interceptor> interceptors, Config config) {
    this.interceptors = interceptors;
    this.hasAuthProvider = config.getAuthProvider() != null;
    this.tags = new ConfigTags(config.getRequestConfig());
  }

  /**
   * Sets the headers of a request.
   *
   * @throws IOException if the credentials cannot be read now
   */
  void addTo(ClassicHttpRequest request) throws IOException {
    Headers headers = new Headers(request);
    try {
      interceptors.forEach(each -> each.before(headers, null, tags));
    } catch (RuntimeException unusable) {
      throw unusable(unusable);
    }
  }

  /**
   * Asks the auth-provider of the kubeconfig for another token, after the API has answered 401; of
   * several requests that were refused, only the first asks.
   *
   * @return true if there is another one, which the following requests have
   * @throws IOException if the provider does not answer
   */
  boolean renew() throws IOException {
    if (!hasAuthProvider) {
      return false;
    }
    String refused = authorization();
    synchronized (this) {
      return !refused.equals(authorization()) || isRenewed();
    }
  }

  private boolean isRenewed() throws IOException {
    Headers headers = new Headers(new BasicClassicHttpRequest(Method.GET, "/"));
    try {
      return interceptors.stream()
          .anyMatch(each -> each.afterFailure(headers, new Unauthorized(), tags).join());
    } catch (RuntimeException unusable) {
      throw unusable(unusable);
    }
  }

  private String authorization() throws IOException {
    BasicClassicHttpRequest any = new BasicClassicHttpRequest(Method.GET, "/");
    addTo(any);
    return Arrays.toString(any.getHeaders(HttpHeaders.AUTHORIZATION));
  }

  /** Files may be half written, and programs and providers out of reach. */
  private static IOException unusable(RuntimeException fault) {
    Throwable cause =
        fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
    return new IOException("its credentials cannot be renewed: " + cause, fault);
  }

  /** The settings that an interceptor asks for. */
  private record ConfigTags(RequestConfig config) implements RequestTags {
    @Override
    public <T> @Nullable T getTag(Class<T> type) {
      return type.isInstance(config) ? type.cast(config) : null;
    }
  }

  private record Headers(ClassicHttpRequest request) implements BasicBuilder {
    @Override
    public BasicBuilder uri(URI uri) {
      return this; // Requests go where they are meant to go.
    }

    @Override
    public BasicBuilder header(String name, String value) {
      request.addHeader(name, value);
      return this;
    }

    @Override
    public BasicBuilder setHeader(String name, String value) {
      request.setHeader(name, value);
      return this;
    }
  }

  /** The answer that makes fabric8 renew a token. */
  private record Unauthorized() implements HttpResponse<@Nullable Void> {
    @Override
    public int code() {
      return HttpStatus.SC_UNAUTHORIZED;
    }

    @Override
    public @Nullable Void body() {
      return null;
    }

    @Override
    public @Nullable HttpRequest request() {
      return null;
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
      return Optional.empty();
    }

    @Override
    public List<String> headers(String name) {
      return List.of();
    }

    @Override
    public Map<String, List<String>> headers() {
      return Map.of();
    }
  }
}
