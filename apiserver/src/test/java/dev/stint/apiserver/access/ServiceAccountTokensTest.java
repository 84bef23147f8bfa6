package dev.stint.apiserver.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.stint.apiserver.access.ServiceAccountTokens.Bound;
import dev.stint.apiserver.access.ServiceAccountTokens.TokenCheck;
import dev.stint.apiserver.access.pki.EcKeys;
import dev.stint.apiserver.access.pki.GeneratedKeys;
import dev.stint.apiserver.access.pki.ServiceAccountKeys;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tokens of service accounts are valid for their time, audience and objects, and only if unaltered.
 */
class ServiceAccountTokensTest {
  private static final ObjectRef ACCOUNT = new ObjectRef(Kind.SERVICE_ACCOUNT, "ci", "builder");
  private static final ObjectRef POD = new ObjectRef(Kind.POD, "ci", "build-1");

  private final Map<ObjectRef, String> objects = new HashMap<>();
  private Instant now = Instant.parse("2026-11-21T12:00:00.5Z");
  private KeyPair keys;
  private ServiceAccountTokens tokens;

  @BeforeEach
  void makeTokens() throws Exception {
    keys = EcKeys.generate();
    tokens = new ServiceAccountTokens(keys, objects::get, () -> now);
    objects.put(ACCOUNT, "uid-1");
    objects.put(POD, "uid-2");
  }

  @Test
  void aTokenTellsWhichAccountItIs() {
    TokenCheck.Valid valid = valid(tokens.verify(issued(), List.of()));
    assertThat(valid.user().name()).isEqualTo("system:serviceaccount:ci:builder");
    assertThat(valid.user().uid()).isEqualTo("uid-1");
    assertThat(valid.user().groups())
        .containsExactly(
            "system:serviceaccounts", "system:serviceaccounts:ci", "system:authenticated");
    assertThat(valid.audiences()).containsExactly(ServiceAccountKeys.ISSUER);
  }

  @Test
  void aTokenEndsInTime() {
    ServiceAccountTokens.Issued issued = issue(List.of(), null);
    assertThat(issued.expires()).isEqualTo("2026-11-21T12:10:00Z");
    now = Instant.parse("2026-11-21T12:09:59Z");
    valid(tokens.verify(issued.text(), List.of()));
    now = Instant.parse("2026-11-21T12:10:00Z");
    assertThat(why(tokens.verify(issued.text(), List.of()))).isEqualTo("expired");
    now = Instant.parse("2026-11-21T11:59:59Z");
    assertThat(why(tokens.verify(issued.text(), List.of()))).isEqualTo("not valid yet");
  }

  @Test
  void aTokenIsForItsAudience() {
    String token = issue(List.of("vault", "registry"), null).text();
    assertThat(why(tokens.verify(token, List.of()))).isEqualTo("for another audience");
    assertThat(valid(tokens.verify(token, List.of("registry", "x"))).audiences())
        .containsExactly("registry");
  }

  @Test
  void aTokenIsWorthNothingOnceItsAccountIsGoneOrAnother() {
    String token = issued();
    objects.put(ACCOUNT, "uid-9");
    assertThat(why(tokens.verify(token, List.of()))).contains("account does not exist any more");
    objects.remove(ACCOUNT);
    assertThat(why(tokens.verify(token, List.of()))).contains("account does not exist any more");
  }

  @Test
  void aTokenIsWorthNothingOnceThePodItIsBoundToIsGone() {
    String token = issue(List.of(), new Bound(POD, "uid-2")).text();
    assertThat(valid(tokens.verify(token, List.of())).user().extra())
        .containsEntry("authentication.kubernetes.io/pod-name", List.of("build-1"))
        .containsEntry("authentication.kubernetes.io/pod-uid", List.of("uid-2"));
    objects.put(POD, "uid-3");
    assertThat(why(tokens.verify(token, List.of())))
        .isEqualTo("bound to a pod that has ended or does not exist any more");
  }

  @Test
  void noOtherAlgorithmIsTaken() {
    String[] parts = issued().split("\\.");
    for (String algorithm : List.of("none", "None", "HS256", "RS256", "es256", "")) {
      String header = base64(Json.object().put("alg", algorithm).put("typ", "JWT"));
      for (String signature : List.of("", parts[2])) {
        String forged = header + "." + parts[1] + "." + signature;
        assertThat(why(tokens.verify(forged, List.of()))).isEqualTo("not signed with ES256");
      }
    }
    String critical = base64(Json.object().put("alg", "ES256").put("crit", "exp"));
    why(tokens.verify(critical + "." + parts[1] + "." + parts[2], List.of()));
  }

  @ParameterizedTest
  @CsvSource({"RSA,RS256", "secp256r1,ES256", "secp384r1,ES384", "secp521r1,ES512"})
  void theAlgorithmIsThatOfTheKey(String kind, String algorithm) throws Exception {
    KeyPair signer = kind.equals("RSA") ? GeneratedKeys.rsa() : GeneratedKeys.ec(kind);
    ServiceAccountTokens own = tokens(signer, List.of(signer.getPublic()), "https://a");
    String token = own.issue("ci", "builder", "uid-1", List.of(), Duration.ofHours(1), null).text();
    assertThat(new String(Base64.getUrlDecoder().decode(token.split("\\.")[0]), UTF_8))
        .contains("\"alg\":\"" + algorithm + "\"");
    valid(own.verify(token, List.of("https://a")));
    assertThat(why(tokens.verify(token, List.of())))
        .isIn("not signed with ES256", "not signed by this API");
  }

  @Test
  void tokensOfEachKeyAndIssuerAreTaken() throws Exception {
    KeyPair rsa = GeneratedKeys.rsa();
    KeyPair old = EcKeys.generate();
    ServiceAccountTokens both =
        tokens(rsa, List.of(rsa.getPublic(), old.getPublic()), "https://new", "https://old");
    ServiceAccountTokens former = tokens(old, List.of(old.getPublic()), "https://old");
    ServiceAccountTokens another =
        tokens(old, List.of(old.getPublic()), "https://x", "https://old");
    Duration hour = Duration.ofHours(1);
    valid(
        both.verify(
            former.issue("ci", "builder", "uid-1", List.of(), hour, null).text(), List.of()));
    valid(
        both.verify(both.issue("ci", "builder", "uid-1", List.of(), hour, null).text(), List.of()));
    assertThat(
            why(
                both.verify(
                    another.issue("ci", "builder", "uid-1", List.of(), hour, null).text(),
                    List.of())))
        .isEqualTo("issued by another API server");
    assertThat(why(both.verify("e30.e30.AA", List.of())))
        .isEqualTo("not signed with RS256 or ES256");
  }

  @Test
  void aWeakKeySignsNoTokens() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    KeyPair weak = generator.generateKeyPair();
    assertThatThrownBy(() -> ServiceAccountKeys.of(weak))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("RSA of 2048 bits");
  }

  private ServiceAccountTokens tokens(
      KeyPair signer, List<PublicKey> verifiers, String... issuers) {
    return new ServiceAccountTokens(
        new ServiceAccountKeys(signer, verifiers, List.of(issuers), List.of(issuers)),
        objects::get,
        () -> now);
  }

  @Test
  void anAllZeroSignatureIsNone() {
    String[] parts = issued().split("\\.");
    String zero = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[64]);
    String forged = parts[0] + "." + parts[1] + "." + zero;
    assertThat(why(tokens.verify(forged, List.of()))).isEqualTo("not signed by this API");
  }

  @Test
  void anotherApisTokensAreWorthNothing() throws Exception {
    ServiceAccountTokens other =
        new ServiceAccountTokens(EcKeys.generate(), objects::get, () -> now);
    String token =
        other.issue("ci", "builder", "uid-1", List.of(), Duration.ofHours(1), null).text();
    assertThat(why(tokens.verify(token, List.of()))).isEqualTo("not signed by this API");
  }

  @Test
  void aTokenThatWasAlteredAnywhereIsWorthNothing() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    String token = issued();
    for (int i = 0; i < token.length(); i++) {
      char other = "ABCxyz019-_.= \n".charAt(random.nextInt(15));
      if (other != token.charAt(i)) {
        String altered = token.substring(0, i) + other + token.substring(i + 1);
        assertThat(tokens.verify(altered, List.of()))
            .as("seed %d, character %d made %s", seed, i, other)
            .isInstanceOf(TokenCheck.Invalid.class);
      }
      assertThat(tokens.verify(token.substring(0, i), List.of()))
          .as("cut to %d characters", i)
          .isInstanceOf(TokenCheck.Invalid.class);
    }
    why(tokens.verify(token + ".", List.of()));
    why(tokens.verify(token + "A".repeat(20_000), List.of()));
  }

  @Test
  void whyATokenIsRefusedSaysNothingOfItsText() {
    String token = issued();
    String altered = token.substring(0, token.length() - 4) + "AAAA";
    assertThat(why(tokens.verify(altered, List.of()))).doesNotContain(altered.substring(0, 10));
  }

  private String issued() {
    return issue(List.of(), null).text();
  }

  private ServiceAccountTokens.Issued issue(List<String> audiences, @Nullable Bound bound) {
    return tokens.issue("ci", "builder", "uid-1", audiences, Duration.ofMinutes(10), bound);
  }

  private static TokenCheck.Valid valid(TokenCheck verdict) {
    assertThat(verdict).isInstanceOf(TokenCheck.Valid.class);
    return (TokenCheck.Valid) verdict;
  }

  private static String why(TokenCheck verdict) {
    return assertThat(verdict).asInstanceOf(type(TokenCheck.Invalid.class)).actual().why();
  }

  private static String base64(ObjectNode tree) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(tree.toString().getBytes(StandardCharsets.UTF_8));
  }
}
