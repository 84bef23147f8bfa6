package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.pki.CertificateAndKey;
import dev.stint.apiserver.access.pki.CertificateIssuer;
import dev.stint.apiserver.access.pki.Pki;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request has the user of its certificate or token, is anonymous, or is refused. */
class AuthenticatorTest {
  private static final ObjectRef ACCOUNT = new ObjectRef(Kind.SERVICE_ACCOUNT, "ci", "builder");

  @TempDir private Path temp;
  private Pki pki;
  private ServiceAccountTokens tokens;
  private Authenticator authenticator;
  private Instant now = Instant.now();

  @BeforeEach
  void makeAuthenticator() throws Exception {
    InstantSource clock = () -> now;
    pki = Pki.open(temp.resolve("pki"), clock, List.of());
    tokens =
        new ServiceAccountTokens(
            pki.signingKey(), object -> object.equals(ACCOUNT) ? "uid-1" : null, clock);
    authenticator = new Authenticator(pki.adminToken(), tokens, clock);
  }

  @Test
  void whoSaysNothingIsAnonymous() {
    assertThat(authenticator.of(null, null)).isInstanceOf(Authentication.Anonymous.class);
  }

  @Test
  void theAdminComesByTokenOrByCertificate() {
    User byToken = known(null, "Bearer " + pki.adminToken());
    assertThat(byToken).isEqualTo(User.of("stint-admin", "system:masters", "system:authenticated"));
    User byCertificate = known(pki.admin().certificate(), null);
    assertThat(byCertificate.name()).isEqualTo("stint-admin");
    assertThat(byCertificate.groups()).containsExactly("system:masters", "system:authenticated");
    assertThat(byCertificate.extra().get("authentication.kubernetes.io/credential-id"))
        .singleElement()
        .asString()
        .matches("X509SHA256=[0-9a-f]{64}");
  }

  @Test
  void theNameOfTheSchemeIsReadWhateverItsCase() {
    assertThat(known(null, "bearer " + pki.adminToken()).name()).isEqualTo("stint-admin");
  }

  @Test
  void aServiceAccountComesByItsToken() {
    String token =
        tokens.issue("ci", "builder", "uid-1", List.of(), Duration.ofHours(1), null).text();
    assertThat(known(null, "Bearer " + token).name()).isEqualTo("system:serviceaccount:ci:builder");
  }

  @Test
  void aWrongTokenIsRefusedEvenBesideAGoodCertificate() {
    String almost = pki.adminToken().substring(1);
    for (String header : List.of("Bearer " + almost, "Bearer a.b.c", "bearer x y")) {
      for (X509Certificate peer : new X509Certificate[] {null, pki.admin().certificate()}) {
        assertThat(authenticator.of(peer, header))
            .as(header)
            .isInstanceOfSatisfying(
                Authentication.Refused.class,
                refused -> assertThat(refused.why()).doesNotContain(almost));
      }
    }
  }

  @Test
  void whatHoldsNoBearerTokenIsNoHeader() {
    for (String header : List.of("Basic eDp5", "Bearer", "Bearer ", "Bearer  x", "")) {
      assertThat(authenticator.of(null, header))
          .as(header)
          .isInstanceOf(Authentication.Anonymous.class);
      assertThat(authenticator.of(pki.admin().certificate(), header))
          .as(header)
          .isInstanceOf(Authentication.Known.class);
    }
  }

  @Test
  void aTokenForAnotherAudienceIsRefused() {
    String token =
        tokens.issue("ci", "builder", "uid-1", List.of("vault"), Duration.ofHours(1), null).text();
    assertThat(authenticator.of(null, "Bearer " + token))
        .isEqualTo(new Authentication.Refused("bad bearer token: for another audience"));
  }

  @Test
  void aCertificateThatExpiredSinceTheHandshakeIsRefused() {
    X509Certificate peer = pki.admin().certificate();
    now = now.plus(Duration.ofDays(366));
    assertThat(authenticator.of(peer, null)).isInstanceOf(Authentication.Refused.class);
  }

  @Test
  void aSubjectsNameMayHoldAnything() throws Exception {
    CertificateAndKey authority =
        CertificateAndKey.parse(java.nio.file.Files.readString(temp.resolve("pki/ca.pem")));
    CertificateIssuer.Validity validity =
        new CertificateIssuer.Validity(now.minusSeconds(9), now.plusSeconds(9));
    for (String name : List.of("a,b=c", " x ", "O=system:masters", "jane@example.com", "é+\"#")) {
      X509Certificate peer =
          CertificateIssuer.client(authority, name, "dev,ops", validity).certificate();
      User user = known(peer, null);
      assertThat(user.name()).isEqualTo(name);
      assertThat(user.groups()).containsExactly("dev,ops", "system:authenticated");
    }
  }

  private User known(@Nullable X509Certificate peer, @Nullable String header) {
    Authentication found = authenticator.of(peer, header);
    assertThat(found).isInstanceOf(Authentication.Known.class);
    return ((Authentication.Known) found).user();
  }
}
