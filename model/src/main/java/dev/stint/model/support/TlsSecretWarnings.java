package dev.stint.model.support;

import dev.stint.model.field.At;
import java.util.Base64;
import java.util.List;

/** Warnings about secrets whose certificate and key no server can use, in the words of Go. */
final class TlsSecretWarnings {
  private TlsSecretWarnings() {}

  static List<String> of(At secret) {
    if (!secret.get("type").text().equals("kubernetes.io/tls")) {
      return List.of();
    }
    At data = secret.get("data");
    String fault = TlsKeyPair.fault(decoded(data.entry("tls.crt")), decoded(data.entry("tls.key")));
    return fault == null ? List.of() : List.of(fault);
  }

  private static byte[] decoded(At base64) {
    return Base64.getMimeDecoder().decode(base64.text());
  }
}
