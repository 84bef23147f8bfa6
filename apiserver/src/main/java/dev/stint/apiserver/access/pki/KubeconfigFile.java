package dev.stint.apiserver.access.pki;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.StringNode;

/**
 * Writes a kubeconfig: the file by which kubectl and other clients find an API and authenticate.
 */
public final class KubeconfigFile {
  private static final Pattern TOKEN = Pattern.compile("(?m)^( *token: ).*$");

  private KubeconfigFile() {}

  /**
   * Returns a kubeconfig with two contexts: "stint", the current one, uses the admin's token, and
   * "stint-cert" the admin's certificate.
   *
   * @param serverUrl such as {@code https://127.0.0.1:6443}
   */
  static String text(String serverUrl, Pki pki) {
    return text(serverUrl, pki, "default");
  }

  /**
   * Returns the same kubeconfig for a namespace.
   *
   * @param namespace the default namespace of clients
   */
  public static String text(String serverUrl, Pki pki, String namespace) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: stint
      cluster:
        server: %s
        certificate-authority-data: %s
    users:
    - name: stint
      user:
        token: %s
    - name: stint-cert
      user:
        client-certificate-data: %s
        client-key-data: %s
    contexts:
    - name: stint
      context:
        cluster: stint
        user: stint
        namespace: %s
    - name: stint-cert
      context:
        cluster: stint
        user: stint-cert
        namespace: %s
    current-context: stint
    """
        .formatted(
            StringNode.valueOf(serverUrl).toString(),
            base64(pki.authorityPem()),
            StringNode.valueOf(pki.adminToken()).toString(),
            base64(pki.admin().certificatePem()),
            base64(pki.admin().keyPem()),
            namespace,
            namespace);
  }

  /** Writes {@link #text} to a file that only its owner may read, atomically. */
  public static void write(Path file, String serverUrl, Pki pki) throws IOException {
    PrivateFiles.write(file, text(serverUrl, pki));
  }

  /** Returns the {@linkplain #text text} of a kubeconfig with another token of the admin. */
  static String withToken(String kubeconfig, String token) {
    String value = Matcher.quoteReplacement(StringNode.valueOf(token).toString());
    return TOKEN.matcher(kubeconfig).replaceAll("$1" + value);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
