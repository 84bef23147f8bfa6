package dev.stint.apiserver.http;

import java.security.cert.X509Certificate;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a connection.
 *
 * @param address of the other end
 * @param certificate that it proved to hold; null for none
 */
public record Peer(String address, @Nullable X509Certificate certificate) {

  static Peer of(Request request) {
    Object data = request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE);
    X509Certificate[] chain =
        data instanceof EndPoint.SslSessionData session ? session.peerCertificates() : null;
    return new Peer(
        Request.getRemoteAddr(request), chain == null || chain.length == 0 ? null : chain[0]);
  }
}
