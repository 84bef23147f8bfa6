package dev.stint.apiserver.access.pki;

import dev.stint.model.Json;
import java.math.BigInteger;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The documents with which others check tokens of service accounts without asking this API (OpenID
 * Connect Discovery 1.0, RFC 7517). They hold public keys only.
 */
public final class IssuerDocuments {
  /** The path of the description of the issuer, which the standard prescribes. */
  public static final String CONFIGURATION_PATH = "/.well-known/openid-configuration";

  /** The path of the public keys. */
  public static final String KEYS_PATH = "/openid/v1/jwks";

  private IssuerDocuments() {}

  /**
   * Returns the description of the issuer; empty if its name is not an address, so has no paths.
   */
  public static Optional<ObjectNode> configuration(ServiceAccountKeys keys) {
    String issuer = keys.issuer();
    if (!issuer.startsWith("https://")) {
      return Optional.empty();
    }
    ObjectNode document = Json.object();
    document.put("issuer", issuer);
    document.put("jwks_uri", issuer.replaceFirst("/+$", "") + KEYS_PATH);
    document.putArray("response_types_supported").add("id_token");
    document.putArray("subject_types_supported").add("public");
    ArrayNode algorithms = document.putArray("id_token_signing_alg_values_supported");
    keys.verifiers().stream()
        .map(key -> TokenAlgorithm.of(key).name())
        .distinct()
        .sorted()
        .forEach(algorithms::add);
    return Optional.of(document);
  }

  /** Returns the public keys whose signatures are valid. */
  public static ObjectNode keys(ServiceAccountKeys keys) {
    ObjectNode document = Json.object();
    ArrayNode all = document.putArray("keys");
    keys.verifiers().stream().distinct().map(IssuerDocuments::key).forEach(all::add);
    return document;
  }

  private static ObjectNode key(PublicKey key) {
    TokenAlgorithm algorithm = TokenAlgorithm.of(key);
    ObjectNode described = Json.object();
    described.put("use", "sig").put("kid", ServiceAccountKeys.idOf(key));
    described.put("alg", algorithm.name());
    if (key instanceof RSAPublicKey rsa) {
      described.put("kty", "RSA");
      described.put("n", base64(unsigned(rsa.getModulus())));
      described.put("e", base64(unsigned(rsa.getPublicExponent())));
    } else if (key instanceof ECPublicKey ec) {
      int bits = ec.getParams().getOrder().bitLength();
      int length = (bits + 7) / 8;
      described.put("kty", "EC").put("crv", "P-" + bits);
      described.put("x", base64(padded(ec.getW().getAffineX(), length)));
      described.put("y", base64(padded(ec.getW().getAffineY(), length)));
    }
    return described;
  }

  private static byte[] unsigned(BigInteger number) {
    return padded(number, (number.bitLength() + 7) / 8);
  }

  /** Returns a number in exactly so many bytes, which it fits in; a coordinate has its zeros. */
  private static byte[] padded(BigInteger number, int length) {
    byte[] signed = number.toByteArray();
    byte[] padded = new byte[length];
    int count = Math.min(signed.length, length);
    byte[] end = Arrays.copyOfRange(signed, signed.length - count, signed.length);
    System.arraycopy(end, 0, padded, length - count, count);
    return padded;
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
