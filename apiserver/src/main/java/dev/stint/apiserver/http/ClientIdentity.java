package dev.stint.apiserver.http;

import dev.stint.apiserver.access.Impersonation;
import java.security.cert.X509Certificate;
import java.util.Objects;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The client at the other end of a connection.
 *
 * @param address of the client
 * @param certificate whose possession the client has proved; null for none
 * @param acting the user that the client wants to impersonate; null for none
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
