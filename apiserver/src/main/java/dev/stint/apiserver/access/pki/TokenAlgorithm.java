package dev.stint.apiserver.access.pki;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;

/** A signature algorithm of JSON web tokens (RFC 7518), under the name that their headers use. */
public enum TokenAlgorithm {
  RS256("SHA256withRSA"),
  ES256("SHA256withECDSAinP1363Format"),
  ES384("SHA384withECDSAinP1363Format"),
  ES512("SHA512withECDSAinP1363Format");

  /** The size of the weakest RSA key of RFC 7518, in bits. */
  private static final int LEAST_RSA_BITS = 2048;

  private final String jdkName;

  TokenAlgorithm(String jdkName) {
    this.jdkName = jdkName;
  }

  /**
   * Returns the algorithm of a key, which has only this one.
   *
   * @throws IllegalArgumentException if there are no tokens with such a key
   */
  public static TokenAlgorithm of(Key key) {
    if (key instanceof RSAKey rsa && rsa.getModulus().bitLength() >= LEAST_RSA_BITS) {
      return RS256;
    }
    int bits = key instanceof ECKey curve ? curve.getParams().getOrder().bitLength() : 0;
    return switch (bits) {
      case 256 -> ES256;
      case 384 -> ES384;
      case 521 -> ES512;
      default ->
          throw new IllegalArgumentException(
              "a key for tokens must be RSA of 2048 bits or more, or EC of P-256, P-384 or P-521");
    };
  }

  /** Returns the signature of an ASCII text. */
  public byte[] sign(String text, PrivateKey key) throws GeneralSecurityException {
    Signature signature = Signature.getInstance(jdkName);
    signature.initSign(key);
    signature.update(text.getBytes(StandardCharsets.US_ASCII));
    return signature.sign();
  }

  /** True if a key has signed a text. */
  public boolean holds(String text, byte[] given, PublicKey key) {
    try {
      Signature signature = Signature.getInstance(jdkName);
      signature.initVerify(key);
      signature.update(text.getBytes(StandardCharsets.UTF_8));
      return signature.verify(given);
    } catch (GeneralSecurityException malformed) {
      return false;
    }
  }
}
