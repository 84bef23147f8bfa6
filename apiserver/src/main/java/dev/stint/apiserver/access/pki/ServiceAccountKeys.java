package dev.stint.apiserver.access.pki;

import dev.stint.model.Sha256;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.Base64;
import java.util.List;

/**
 * The keys for tokens of service accounts, and the names in those tokens. Keys that tokens cannot
 * have are refused with an {@link IllegalArgumentException}.
 *
 * @param signer signs new tokens
 * @param verifiers the public keys whose signatures are valid
 * @param issuers the accepted issuers; the first one is that of new tokens
 * @param audiences the names of this API in tokens
 */
public record ServiceAccountKeys(
    KeyPair signer, List<PublicKey> verifiers, List<String> issuers, List<String> audiences) {
  /** The issuer and audience unless others are given. */
  public static final String ISSUER = "https://kubernetes.default.svc.cluster.local";

  public ServiceAccountKeys {
    verifiers = List.copyOf(verifiers);
    issuers = List.copyOf(issuers);
    audiences = List.copyOf(audiences);
    if (issuers.isEmpty() || audiences.isEmpty()) {
      throw new IllegalArgumentException("tokens need an issuer and an audience");
    }
    TokenAlgorithm.of(signer.getPublic());
    verifiers.forEach(TokenAlgorithm::of);
  }

  /** Returns one key for both purposes, with the usual issuer. */
  public static ServiceAccountKeys of(KeyPair keys) {
    return new ServiceAccountKeys(
        keys, List.of(keys.getPublic()), List.of(ISSUER), List.of(ISSUER));
  }

  /** Returns the name of a key in the headers of tokens, which follows from the key. */
  public static String idOf(PublicKey key) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(key.getEncoded()));
  }

  /** Returns the issuer of new tokens. */
  public String issuer() {
    return issuers.getFirst();
  }
}
