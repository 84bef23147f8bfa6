package dev.stint.model.support;

import dev.stint.model.field.FieldPath;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Warnings about secrets with a certificate and key that no server can use, in Go's words. */
final class TlsSecretWarnings {
  private TlsSecretWarnings() {}

  static List<String> of(FieldPath secret) {
    if (!secret.get("type").text().equals("kubernetes.io/tls")) {
      return List.of();
    }
    FieldPath data = secret.get("data");
    byte[] certificate = decoded(data.entry("tls.crt"));
    byte[] key = decoded(data.entry("tls.key"));
    String fault = certificate == null || key == null ? null : TlsKeyPair.fault(certificate, key);
    return fault == null ? List.of() : List.of(fault);
  }

  /** Returns the decoded value; null if it is not base64, which validation reports. */
  private static byte @Nullable [] decoded(FieldPath base64) {
    try {
      return Base64.getMimeDecoder().decode(base64.text());
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }
}
