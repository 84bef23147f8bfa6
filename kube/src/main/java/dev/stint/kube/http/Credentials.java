package dev.stint.kube.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.Interceptor.RequestTags;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.ClassicHttpRequest;
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

  /** Sets the headers of a request. */
  void addTo(ClassicHttpRequest request) {
    Headers headers = new Headers(request);
    interceptors.forEach(each -> each.before(headers, null, tags));
  }

  /**
   * Asks the auth-provider of the kubeconfig for another token, after the API has answered 401.
   *
   * @return true if there is one, which the following requests have
   */
  boolean renew() {
    Headers headers = new Headers(new BasicClassicHttpRequest(Method.GET, "/"));
    return hasAuthProvider
        && interceptors.stream()
            .anyMatch(each -> each.afterFailure(headers, new Unauthorized(), tags).join());
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
