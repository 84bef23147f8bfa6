package dev.stint.apiserver.webhook;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * The address of a webhook and the certificates to trust, as its owner configured them.
 *
 * @param url its address; null if a service is named
 * @param service the service in front of it; null if a URL is given
 * @param caBundle the trusted certificates, as PEM in base64; "" for those of the machine
 */
public record WebhookClientConfig(
    @Nullable String url, @Nullable Service service, String caBundle) {
  private static final String TIMEOUT = "timeout=" + WebhookClient.TIMEOUT.toSeconds() + "s";

  /**
   * A service.
   *
   * @param path "" for none
   */
  public record Service(String namespace, String name, String path, int port) {
    String host() {
      return name + "." + namespace + ".svc";
    }
  }

  /**
   * Returns the place of the webhook now; looks the name of its host up. Throws if that or its
   * service has no address.
   */
  WebhookEndpoint endpoint(ServiceResolver services) throws WebhookException {
    try {
      if (service == null) {
        URI whole = withTimeout(new URI(url == null ? "" : url));
        checkHost(whole);
        return new WebhookEndpoint(whole, whole, "", caBundle);
      }
      return behind(service, services);
    } catch (URISyntaxException malformed) {
      throw new WebhookException(String.valueOf(malformed.getMessage()), malformed);
    }
  }

  /** Returns a URL with the only parameter that counts; its path stays as it is escaped. */
  private static URI withTimeout(URI at) throws URISyntaxException {
    String port = at.getPort() < 0 ? "" : ":" + at.getPort();
    return new URI(
        "%s://%s%s%s?%s".formatted(at.getScheme(), at.getHost(), port, at.getRawPath(), TIMEOUT));
  }

  /** Looks a host up, so that whoever connects to it soon finds it in the machine's cache. */
  private static void checkHost(URI at) throws WebhookException {
    try {
      var _ = InetAddress.getByName(at.getHost());
    } catch (UnknownHostException unknown) {
      throw new WebhookException(
          "Post \"%s\": lookup %s: no such host".formatted(at, at.getHost()), unknown);
    }
  }

  private WebhookEndpoint behind(Service named, ServiceResolver services)
      throws WebhookException, URISyntaxException {
    URI shown = url(named.host(), named.port(), named.path());
    InetSocketAddress address;
    try {
      address = services.resolve(named.namespace(), named.name(), named.port());
    } catch (WebhookException unknown) {
      throw new WebhookException("Post \"%s\": %s".formatted(shown, unknown.getMessage()), unknown);
    }
    String host = address.getAddress().getHostAddress();
    return new WebhookEndpoint(
        shown, url(host, address.getPort(), named.path()), named.host(), caBundle);
  }

  private static URI url(String host, int port, String path) throws URISyntaxException {
    String literal = host.contains(":") ? "[" + host + "]" : host;
    return new URI("https", null, literal, port, path, TIMEOUT, null);
  }
}
