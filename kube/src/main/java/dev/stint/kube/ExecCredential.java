package dev.stint.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that a {@link CredentialPlugin} has printed: a token, a certificate, or both.
 *
 * @param token empty if there is none
 * @param certificate in PEM; empty if there is none
 * @param key that of the certificate, in PEM; empty if there is none
 */
record ExecCredential(String token, String certificate, String key) {
  /**
   * Reads what a plugin has printed.
   *
   * @throws IllegalArgumentException if it is of no use; the message continues "the plugin", and
   *     quotes nothing, since a secret may be anywhere
   */
  static ExecCredential read(String output, String apiVersion) {
    Config.ExecCredential document = parsed(output);
    if (document == null
        || !"ExecCredential".equals(document.kind)
        || !apiVersion.equals(document.apiVersion)) {
      throw new IllegalArgumentException("printed no ExecCredential of " + apiVersion);
    }
    Config.ExecCredentialStatus status =
        Objects.requireNonNullElseGet(document.status, Config.ExecCredentialStatus::new);
    ExecCredential found =
        new ExecCredential(
            text(status.token), text(status.clientCertificateData), text(status.clientKeyData));
    if (found.certificate.isEmpty() != found.key.isEmpty()) {
      throw new IllegalArgumentException("gave only one of a certificate and its key");
    }
    if (found.token.isEmpty() && found.certificate.isEmpty()) {
      throw new IllegalArgumentException("gave neither a token nor a certificate");
    }
    return found;
  }

  private static Config.@Nullable ExecCredential parsed(String output) {
    try {
      return Serialization.unmarshal(output, Config.ExecCredential.class);
    } catch (RuntimeException malformed) {
      return null;
    }
  }

  private static String text(@Nullable String given) {
    return Objects.requireNonNullElse(given, "");
  }

  /** Makes a configuration use these credentials. */
  void applyTo(Config config) {
    if (!token.isEmpty()) {
      config.setAutoOAuthToken(token);
    }
    if (!certificate.isEmpty()) {
      config.setClientCertFile(null);
      config.setClientCertData(encoded(certificate));
      config.setClientKeyFile(null);
      config.setClientKeyData(encoded(key));
      config.setClientKeyAlgo(Config.getKeyAlgorithm(null, config.getClientKeyData()));
    }
  }

  private static String encoded(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns only what there is, as the rest is secret. */
  @Override
  public String toString() {
    return "token " + !token.isEmpty() + ", certificate " + !certificate.isEmpty();
  }
}
