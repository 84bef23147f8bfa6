package dev.stint.kube.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpClient.ProxyType;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The settings of connections to an API server, as a configuration has them.
 *
 * @param sockets makes sockets with our certificate that trust the server's authority
 * @param certifiedName the name in the server's certificate
 * @param tlsVersions the names of the versions that may be used; empty for Java's choice
 * @param proxy null if there is none
 * @param interceptors set the headers of each request, such as credentials
 */
record ConnectionSettings(
    ServerAddress server,
    SSLSocketFactory sockets,
    String certifiedName,
    List<String> tlsVersions,
    Duration connectTimeout,
    @Nullable Proxy proxy,
    List<Interceptor> interceptors) {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /**
   * @param authorization the value of {@code Proxy-Authorization}; null if there is none
   */
  record Proxy(InetSocketAddress address, boolean isSocks, @Nullable String authorization) {
    /** Returns its host and port, for messages. */
    String name() {
      return address.getHostString() + ":" + address.getPort();
    }
  }

  /**
   * @throws KubernetesClientException if certificates, keys or the proxy cannot be used
   */
  static ConnectionSettings of(Config config) {
    Applied applied = new Applied();
    HttpClientUtils.applyCommonConfiguration(config, applied, applied.getClientFactory());
    ServerAddress server = ServerAddress.of(config.getMasterUrl());
    String certifiedName = applied.getTlsServerName();
    Duration timeout = applied.getConnectTimeout();
    return new ConnectionSettings(
        server,
        applied.getSslContext().getSocketFactory(),
        certifiedName == null ? server.host() : certifiedName,
        applied.tlsVersions(),
        timeout == null ? CONNECT_TIMEOUT : timeout,
        applied.proxy(),
        List.copyOf(applied.getInterceptors().values()));
  }

  /** Receives a configuration from fabric8, which applies it to builders of clients only. */
  private static final class Applied
      extends StandardHttpClientBuilder<HttpClient, HttpClient.Factory, Applied> {
    Applied() {
      super(new JdkHttpClientFactory());
    }

    List<String> tlsVersions() {
      TlsVersion[] versions = getTlsVersions();
      return versions == null
          ? List.of()
          : Arrays.stream(versions).map(TlsVersion::javaName).toList();
    }

    @Nullable Proxy proxy() {
      InetSocketAddress address = getProxyAddress();
      ProxyType type = getProxyType();
      return address == null || type == ProxyType.DIRECT
          ? null
          : new Proxy(
              address,
              type == ProxyType.SOCKS4 || type == ProxyType.SOCKS5,
              getProxyAuthorization());
    }

    @Override
    protected Applied newInstance(HttpClient.Factory factory) {
      return new Applied();
    }

    @Override
    public HttpClient build() {
      throw new UnsupportedOperationException("it only receives settings");
    }
  }
}
