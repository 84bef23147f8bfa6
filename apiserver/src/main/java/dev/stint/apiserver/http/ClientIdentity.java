package dev.stint.apiserver.http;

import dev.stint.apiserver.access.Impersonation;
import java.security.cert.X509Certificate;
import java.util.Objects;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a connection.
 *
 * @param address of the other end
 * @param certificate that it proved to hold; null for none
 * @param acting as whom it wants to act; null for itself
 */
public record ClientIdentity(
    String address, @Nullable X509Certificate certificate, @Nullable Impersonation acting) {

  public static ClientIdentity of(Request request) {
    Object data = request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE);
    X509Certificate[] chain =
        data instanceof EndPoint.SslSessionData session ? session.peerCertificates() : null;
    return new ClientIdentity(
        Request.getRemoteAddr(request),
        chain == null || chain.length == 0 ? null : chain[0],
        Impersonation.of(
                request.getHeaders().stream()
                    .map(field ->
                        new Impersonation.Header(
                            field.getName(), Objects.requireNonNullElse(field.getValue(), ""))))
            .orElse(null));
  }
}
