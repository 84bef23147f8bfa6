package dev.stint.apiserver.http.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.access.pki.ServiceAccountKeys;
import dev.stint.apiserver.access.pki.TokenAlgorithm;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.HttpApi;
import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.model.Json;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class IssuerHandlerTest {
  private static final String CONFIGURATION = "/.well-known/openid-configuration";
  private static final String KEYS = "/openid/v1/jwks";

  private static KeyPair ec(String curve) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(curve));
    return generator.generateKeyPair();
  }

  private static KeyPair rsa() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  private static BigInteger number(JsonNode key, String member) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(key.path(member).asString("")));
  }

  private static PublicKey read(JsonNode key, PublicKey like) throws GeneralSecurityException {
    if (key.path("kty").asString("").equals("RSA")) {
      return KeyFactory.getInstance("RSA")
          .generatePublic(new RSAPublicKeySpec(number(key, "n"), number(key, "e")));
    }
    ECPoint point = new ECPoint(number(key, "x"), number(key, "y"));
    return KeyFactory.getInstance("EC")
        .generatePublic(new ECPublicKeySpec(point, ((ECPublicKey) like).getParams()));
  }

  private static JsonNode document(ServiceAccountKeys keys, String path) {
    ApiResponse.Whole whole = (ApiResponse.Whole) new IssuerHandler(keys).of(path).orElseThrow();
    return Json.parse(whole.body());
  }

  private static void isRead(KeyPair pair, String type, String algorithm) throws Exception {
    JsonNode key = document(ServiceAccountKeys.of(pair), KEYS).path("keys").path(0);
    assertThat(key.path("kty").asString("")).isEqualTo(type);
    assertThat(key.path("alg").asString("")).isEqualTo(algorithm);
    byte[] signature = TokenAlgorithm.of(pair.getPublic()).sign("text", pair.getPrivate());
    PublicKey read = read(key, pair.getPublic());
    assertThat(TokenAlgorithm.of(read).holds("text", signature, read)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"secp256r1, ES256, 43", "secp384r1, ES384, 64", "secp521r1, ES512, 88"})
  void signaturesCanBeCheckedWithThePublishedKey(String curve, String algorithm, int length)
      throws Exception {
    KeyPair pair = ec(curve);
    isRead(pair, "EC", algorithm);
    JsonNode key = document(ServiceAccountKeys.of(pair), KEYS).path("keys").path(0);
    assertThat(key.path("x").asString("")).hasSize(length);
    assertThat(key.path("y").asString("")).hasSize(length);
  }

  @Test
  void keysOfBothTypesArePublishedAndNothingPrivate() throws Exception {
    isRead(rsa(), "RSA", "RS256");
    KeyPair signer = ec("secp256r1");
    ServiceAccountKeys keys =
        new ServiceAccountKeys(
            signer,
            List.of(signer.getPublic(), rsa().getPublic()),
            List.of("https://issuer.example.com/", "other"),
            List.of("api"));
    assertThat(document(keys, KEYS).path("keys")).hasSize(2);
    assertThat(document(keys, KEYS).path("keys").path(0).propertyNames())
        .containsExactlyInAnyOrder("use", "kid", "alg", "kty", "crv", "x", "y");
    assertThat(document(keys, CONFIGURATION))
        .isEqualTo(
            HttpApi.tree(
                """
                {'issuer': 'https://issuer.example.com/',
                 'jwks_uri': 'https://issuer.example.com/openid/v1/jwks',
                 'response_types_supported': ['id_token'], 'subject_types_supported': ['public'],
                 'id_token_signing_alg_values_supported': ['ES256', 'RS256']}
                """));
  }

  @Test
  void anIssuerThatIsNoAddressHasNoDescription() throws Exception {
    KeyPair pair = ec("secp256r1");
    ServiceAccountKeys keys =
        new ServiceAccountKeys(
            pair, List.of(pair.getPublic()), List.of("somebody"), List.of("api"));
    assertThat(new IssuerHandler(keys).of(CONFIGURATION)).isEmpty();
    assertThat(new IssuerHandler(keys).of(KEYS)).isPresent();
  }

  @Test
  void aTokenNamesThePublishedKey() {
    try (HttpApi api = new HttpApi()) {
      String account = "/api/v1/namespaces/default/serviceaccounts";
      api.post(account, "{'metadata': {'name': 'a'}}");
      String token = api.post(account + "/a/token", "{}").at("/status/token");
      String header = token.substring(0, token.indexOf('.'));
      assertThat(
              Json.parse(new String(Base64.getUrlDecoder().decode(header), StandardCharsets.UTF_8))
                  .path("kid")
                  .asString(""))
          .isEqualTo(api.get(KEYS).at("/keys/0/kid"));
      assertThat(api.get(CONFIGURATION).type()).isEqualTo("application/json");
      assertThat(api.get(KEYS).type()).isEqualTo("application/jwk-set+json");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {CONFIGURATION, CONFIGURATION + "/", KEYS, KEYS + "/"})
  void theyAreForThoseWhoMayReadThem(String path) {
    try (HttpApi api = new HttpApi()) {
      assertThat(api.get(path).code()).isEqualTo(200);
      assertThat(api.call("POST", path, "{}", Map.of()).code()).isEqualTo(405);
      Answer refused = api.callAs(User.of("jane"), "GET", path, "", Map.of());
      assertThat(refused.code()).isEqualTo(403);
    }
  }
}
