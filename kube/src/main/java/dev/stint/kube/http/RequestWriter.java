package dev.stint.kube.http;

import dev.stint.kube.http.ConnectionSettings.Proxy;
import dev.stint.kube.http.RestRequest.Content;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.net.URIAuthority;
import org.jspecify.annotations.Nullable;

/** Turns requests into messages of HTTP/1.1. */
final class RequestWriter {
  private final ServerAddress server;
  private final URIAuthority authority;
  private final @Nullable Proxy plainProxy;
  private final Credentials credentials;

  RequestWriter(ConnectionSettings settings, Credentials credentials) {
    this.server = settings.server();
    this.authority = new URIAuthority(server.host(), server.port());
    Proxy proxy = settings.proxy();
    this.plainProxy = proxy == null || proxy.isSocks() || server.isTls() ? null : proxy;
    this.credentials = credentials;
  }

  /** Returns a message with the credentials that are valid now. */
  ClassicHttpRequest message(RestRequest request) {
    BasicClassicHttpRequest message =
        new BasicClassicHttpRequest(
            request.method(), "http", authority, server.path() + request.path());
    message.setHeader(HttpHeaders.HOST, server.authority());
    message.setHeader(HttpHeaders.ACCEPT, request.accepted());
    Content content = request.content();
    if (content != null) {
      message.setEntity(new ByteArrayEntity(content.bytes(), null));
      message.setHeader(HttpHeaders.CONTENT_TYPE, content.type());
      message.setHeader(HttpHeaders.CONTENT_LENGTH, content.bytes().length);
    }
    addProxy(message);
    credentials.addTo(message);
    return message;
  }

  /** Without TLS there is no tunnel: the proxy itself reads the request. */
  private void addProxy(BasicClassicHttpRequest message) {
    Proxy proxy = plainProxy;
    if (proxy != null) {
      message.setAbsoluteRequestUri(true);
      if (proxy.authorization() != null) {
        message.setHeader(HttpHeaders.PROXY_AUTHORIZATION, proxy.authorization());
      }
    }
  }
}
