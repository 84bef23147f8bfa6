package dev.stint.kube.http;

import dev.stint.kube.http.ConnectionSettings.Proxy;
import dev.stint.kube.http.RestRequest.Content;
import java.io.IOException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/** Turns requests into messages of HTTP/1.1. */
final class RequestWriter {
  private final ServerAddress server;

  /** The proxy of a server without TLS: there is no tunnel, so that it reads the requests. */
  private final @Nullable Proxy plainProxy;

  private final Credentials credentials;

  RequestWriter(ConnectionSettings settings, Credentials credentials) {
    this.server = settings.server();
    Proxy proxy = settings.proxy();
    this.plainProxy = proxy == null || proxy.isSocks() || server.isTls() ? null : proxy;
    this.credentials = credentials;
  }

  /** Returns a message with the credentials that are valid now. */
  ClassicHttpRequest message(RestRequest request) throws IOException {
    BasicClassicHttpRequest message =
        new BasicClassicHttpRequest(request.method(), null, null, target(request));
    message.setHeader(HttpHeaders.HOST, server.hostHeader());
    message.setHeader(HttpHeaders.ACCEPT, request.accepted());
    Content content = request.content();
    if (content != null) {
      message.setEntity(new ByteArrayEntity(content.bytes(), null));
      message.setHeader(HttpHeaders.CONTENT_TYPE, content.type());
      message.setHeader(HttpHeaders.CONTENT_LENGTH, content.bytes().length);
    }
    if (plainProxy != null && plainProxy.authorization() != null) {
      message.setHeader(HttpHeaders.PROXY_AUTHORIZATION, plainProxy.authorization());
    }
    credentials.addTo(message);
    return message;
  }

  /** Returns the path, or the whole URL for a proxy that reads the request itself. */
  private String target(RestRequest request) {
    String path = server.path() + request.path();
    return plainProxy == null ? path : "http://" + server.authority() + path;
  }
}
