package dev.stint.kube;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stint.apiserver.access.pki.CertificateAndKey;
import dev.stint.apiserver.access.pki.CertificateIssuer;
import dev.stint.apiserver.access.pki.Pki;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Credentials that are replaced while in use, over HTTPS. */
class RenewableClientTest {
  @TempDir private Path dir;

  private final TestTime time = new TestTime();
  private Pki pki;
  private CertificateAndKey first;
  private CertificateAndKey second;
  private TlsFront front;

  @BeforeEach
  void open() throws Exception {
    pki = pki("pki");
    first = pki.admin();
    Files.delete(dir.resolve("pki/admin.pem"));
    second = pki("pki").admin();
    front = new TlsFront(pki, 0);
    Files.writeString(dir.resolve("ca.crt"), pki.authorityPem());
    give(first);
  }

  @AfterEach
  void close() {
    front.close();
  }

  private Pki pki(String directory) throws IOException {
    return Pki.open(dir.resolve(directory), InstantSource.system(), List.of());
  }

  private void give(CertificateAndKey identity) throws IOException {
    Files.writeString(dir.resolve("client.crt"), identity.certificatePem());
    Files.writeString(dir.resolve("client.key"), sec1(identity.key()));
  }

  /** A P-256 key in the form that fabric8 reads (RFC 5915). */
  private static String sec1(PrivateKey key) {
    String number = "%064x".formatted(((ECPrivateKey) key).getS());
    byte[] der =
        HexFormat.of().parseHex("303102010104" + "20" + number + "a00a06082a8648ce3d030107");
    return "-----BEGIN EC PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
        + "\n-----END EC PRIVATE KEY-----\n";
  }

  private static final String CERTIFICATE =
      "{client-certificate: client.crt, client-key: client.key}";

  private Path kubeconfig(int port, String user) throws IOException {
    return Files.writeString(
        dir.resolve("config"),
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: here
          cluster: {server: 'https://127.0.0.1:%d', certificate-authority: ca.crt}
        users:
        - name: me
          user: %s
        contexts:
        - name: this
          context: {cluster: here, user: me}
        current-context: this
        """
            .formatted(port, user));
  }

  private KubeCluster cluster(String user) throws IOException {
    return KubeCluster.of(kubeconfig(front.port(), user), null, time);
  }

  private static String who(KubeCluster cluster) throws Exception {
    return KubeClusterTest.answer(cluster.version());
  }

  private static String serial(CertificateAndKey identity) {
    return TlsFront.serial(identity.certificate());
  }

  /** Lets it check the files; the next check is due once this one is over. */
  private void look() {
    time.advanceOnceArmed(RenewableClient.INTERVAL);
    time.advanceOnceArmed(RenewableClient.INTERVAL);
  }

  @Test
  void aCertificateThatIsReplacedInItsFilesIsUsedWithinAMinute() throws Exception {
    try (KubeCluster cluster = cluster(CERTIFICATE)) {
      assertThat(who(cluster)).isEqualTo(serial(first));
      give(second);
      assertThat(who(cluster)).isEqualTo(serial(first));
      look();
      assertThat(who(cluster)).isEqualTo(serial(second));
    }
  }

  @Test
  void aUserThatIsReplacedInAFileOfItsOwnIsUsedWithinAMinute() throws Exception {
    Path user = userOf(first);
    List<Path> files = List.of(user, kubeconfig(front.port(), "{token: unused}"));
    try (KubeCluster cluster = KubeCluster.of(files, null, time)) {
      assertThat(who(cluster)).isEqualTo(serial(first));
      userOf(second);
      look();
      assertThat(who(cluster)).isEqualTo(serial(second));
    }
  }

  private Path userOf(CertificateAndKey identity) throws IOException {
    return Files.writeString(
        dir.resolve("user"),
        "users: [{name: me, user: {client-certificate-data: %s, client-key-data: %s}}]"
            .formatted(data(identity.certificatePem()), data(sec1(identity.key()))));
  }

  private static String data(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  @Test
  void aNewCertificateIsUsedAtOnceIfTheApiRejectsTheOldOne() throws Exception {
    try (KubeCluster cluster = cluster(CERTIFICATE)) {
      assertThat(who(cluster)).isEqualTo(serial(first));
      front.unknown.add(serial(first));
      assertThat(KubeClusterTest.refusal(cluster.version()).reason())
          .isEqualTo(Reason.UNAUTHORIZED);
      give(second);
      assertThat(who(cluster)).isEqualTo(serial(second));
    }
  }

  @Test
  void anotherAuthorityIsTrustedOnceItsFileHasIt() throws Exception {
    try (KubeCluster cluster = cluster(CERTIFICATE)) {
      assertThat(who(cluster)).isEqualTo(serial(first));
      int port = front.port();
      front.close();
      Pki other = pki("other");
      front = new TlsFront(other, port);
      assertThat(KubeClusterTest.refusal(cluster.version()).reason()).isEqualTo(Reason.UNAVAILABLE);
      Files.writeString(dir.resolve("ca.crt"), other.authorityPem());
      give(other.admin());
      assertThat(KubeClusterTest.refusal(cluster.version()).reason()).isEqualTo(Reason.UNAVAILABLE);
      assertThat(who(cluster)).isEqualTo(serial(other.admin()));
    }
  }

  @Test
  void filesThatAreHalfWrittenAreReadAgainLater() throws Exception {
    try (KubeCluster cluster = cluster(CERTIFICATE)) {
      Files.writeString(dir.resolve("client.crt"), second.certificatePem());
      Files.writeString(dir.resolve("client.key"), "-----BEGIN PRIV");
      look();
      assertThat(who(cluster)).isEqualTo(serial(first));
      give(second);
      look();
      assertThat(who(cluster)).isEqualTo(serial(second));
    }
  }

  @Test
  void anUnusableKeyIsReportedInOneLineAtTheStart() throws Exception {
    Files.writeString(dir.resolve("client.key"), first.keyPem());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster(CERTIFICATE))
        .withMessage(
            dir.resolve("config")
                + ": its certificates, keys or proxy cannot be used: Invalid DER: object is not integer");
  }

  /** A file that is edited for another purpose must not lead a controller to other Jobs. */
  @Test
  void aChangedServerOfAKubeconfigIsIgnored() throws Exception {
    try (KubeCluster cluster = cluster(CERTIFICATE)) {
      kubeconfig(1, CERTIFICATE);
      look();
      assertThat(who(cluster)).isEqualTo(serial(first));
    }
  }

  @Test
  void aTokenFileIsReadForEachRequest() throws Exception {
    Files.writeString(dir.resolve("token"), "one\n");
    try (KubeCluster cluster = cluster("{tokenFile: token, token: other}")) {
      assertThat(who(cluster)).isEqualTo("Bearer one");
      Files.writeString(dir.resolve("token"), "two\n");
      assertThat(who(cluster)).isEqualTo("Bearer two");
    }
  }

  @Test
  void aCredentialPluginRunsAgainIfTheApiRejectsItsToken() throws Exception {
    Path runs = dir.resolve("runs");
    try (KubeCluster cluster = cluster(plugin(tokenPlugin(runs)))) {
      assertThat(who(cluster)).isEqualTo("Bearer t1");
      assertThat(who(cluster)).isEqualTo("Bearer t1");
      front.unknown.add("Bearer t1");
      assertThat(who(cluster)).isEqualTo("Bearer t2");
      assertThat(Files.size(runs)).isEqualTo(2);
      front.unknown.add("Bearer t2");
      assertThat(whoWatches(cluster)).isEqualTo("Bearer t3");
    }
  }

  @Test
  void theFormerTokenStaysIfACredentialPluginFailsOnce() throws Exception {
    Path runs = dir.resolve("runs");
    String failing = tokenPlugin(runs) + "test $(wc -c < '" + runs + "') -ne 2\n";
    try (KubeCluster cluster = cluster(plugin(failing))) {
      assertThat(who(cluster)).isEqualTo("Bearer t1");
      front.unknown.add("Bearer t1");
      assertThat(KubeClusterTest.refusal(cluster.version()).reason())
          .isEqualTo(Reason.UNAUTHORIZED);
      assertThat(who(cluster)).isEqualTo("Bearer t3");
    }
  }

  @Test
  void aCredentialPluginMayWarnTheUserAndAskForItsContext() throws Exception {
    String warning =
        "#!/bin/sh\necho 'a newer version is out' >&2\ntest -n \"$KUBERNETES_EXEC_INFO\" || exit 1\n";
    Path runs = dir.resolve("runs");
    try (KubeCluster cluster = cluster(plugin(warning + tokenPlugin(runs)))) {
      assertThat(who(cluster)).isEqualTo("Bearer t1");
    }
  }

  /** The server refuses the certificate before there is a request that it could answer with 401. */
  @Test
  void anExpiredCertificateOfACredentialPluginIsReplaced() throws Exception {
    front.demandsCertificates = true;
    try (KubeCluster cluster = cluster(plugin(certificatePlugin(expired(), second)))) {
      assertThat(KubeClusterTest.refusal(cluster.version()).reason()).isEqualTo(Reason.UNAVAILABLE);
      assertThat(who(cluster)).isEqualTo(serial(second));
      look();
      assertThat(who(cluster)).isEqualTo(serial(second));
      assertThat(Files.size(dir.resolve("runs"))).isEqualTo(2);
    }
  }

  @Test
  void anExpiredCertificateIsReplacedThoughNoRequestFails() throws Exception {
    try (KubeCluster cluster = cluster(plugin(certificatePlugin(expired(), second)))) {
      look();
      assertThat(who(cluster)).isEqualTo(serial(second));
    }
  }

  @Test
  void aPluginWithoutAnotherCertificateRunsOnceBetweenTwoChecks() throws Exception {
    front.demandsCertificates = true;
    CertificateAndKey expired = expired();
    try (KubeCluster cluster =
        cluster(plugin(certificatePlugin(expired, expired, expired, expired, second)))) {
      for (int i = 0; i < 10; i++) {
        assertThat(KubeClusterTest.refusal(cluster.version()).reason())
            .isEqualTo(Reason.UNAVAILABLE);
      }
      assertThat(Files.size(dir.resolve("runs"))).isEqualTo(2);
      look();
      look();
      look();
      assertThat(who(cluster)).isEqualTo(serial(second));
    }
  }

  /** Returns a certificate of the same authority that was valid until yesterday. */
  private CertificateAndKey expired() throws Exception {
    Instant yesterday = InstantSource.system().instant().minus(Duration.ofDays(1));
    return CertificateIssuer.client(
        CertificateAndKey.parse(Files.readString(dir.resolve("pki/ca.pem"))),
        Pki.ADMIN,
        Pki.MASTERS,
        new CertificateIssuer.Validity(yesterday.minus(Duration.ofDays(1)), yesterday));
  }

  /** Returns a plugin that prints another certificate at each run. */
  private String certificatePlugin(CertificateAndKey... identities) throws IOException {
    for (int i = 0; i < identities.length; i++) {
      ObjectNode credential =
          Json.object()
              .put("apiVersion", "client.authentication.k8s.io/v1")
              .put("kind", "ExecCredential");
      credential
          .putObject("status")
          .put("clientCertificateData", identities[i].certificatePem())
          .put("clientKeyData", sec1(identities[i].key()));
      Files.write(dir.resolve("credential" + (i + 1)), Json.bytes(credential));
    }
    return """
    #!/bin/sh
    cd '%s'
    printf x >> runs
    cat "credential$(wc -c < runs | tr -d ' ')"
    """
        .formatted(dir);
  }

  @Test
  void aTokenOfAnAuthProviderIsRenewedThere() throws Exception {
    String expired = "e30." + base64("{\"exp\":1}") + ".s";
    try (TokenIssuer issuer = new TokenIssuer("renewed");
        KubeCluster cluster =
            cluster(
                ("{auth-provider: {name: oidc, config: {client-id: c, client-secret: s,"
                        + " id-token: %s, idp-issuer-url: '%s', refresh-token: r}}}")
                    .formatted(expired, issuer.url()))) {
      front.unknown.add("Bearer " + expired);
      front.unknown.add("Bearer invalid"); // fabric8 sends this if it knows that the token is over.
      assertThat(who(cluster)).isEqualTo("Bearer renewed");
      assertThat(who(cluster)).isEqualTo("Bearer renewed");
      assertThat(issuer.renewals()).isOne();
    }
  }

  @Test
  void anAuthProviderThatCannotBeAskedMakesTheApiUnavailable() throws Exception {
    String expired = "e30." + base64("{\"exp\":1}") + ".s";
    try (KubeCluster cluster =
        cluster(
            ("{auth-provider: {name: oidc, config: {client-id: c, client-secret: s,"
                    + " id-token: %s, idp-issuer-url: 'no url', refresh-token: r}}}")
                .formatted(expired))) {
      front.unknown.add("Bearer " + expired);
      front.unknown.add("Bearer invalid");
      ClusterException refusal = KubeClusterTest.refusal(cluster.version());
      assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
      assertThat(refusal).hasMessageContaining("its credentials cannot be renewed");
    }
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  /** Returns the identity that the API sees when we watch pods. */
  private static String whoWatches(KubeCluster cluster) throws Exception {
    CompletableFuture<String> name = new CompletableFuture<>();
    try (Watch watch =
        cluster.watch(
            Kind.POD,
            null,
            "1",
            new WatchHandler() {
              @Override
              public void onEvent(WatchEvent event) {
                name.complete(event.object().name());
              }

              @Override
              public void onClosed(@Nullable ClusterException cause) {
                name.complete("closed: " + cause);
              }
            })) {
      assertThat(watch).isNotNull();
      return name.get();
    }
  }

  /** Returns a user with a credential plugin. */
  private String plugin(String script) throws IOException {
    Path file = Files.writeString(dir.resolve("plugin"), script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return "{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: '%s'}}"
        .formatted(file);
  }

  /** Its tokens count its runs. */
  private static String tokenPlugin(Path runs) {
    return """
    #!/bin/sh
    printf x >> '%s'
    printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t%%s"}}' "$(wc -c < '%s' | tr -d ' ')"
    """
        .formatted(runs, runs);
  }
}
