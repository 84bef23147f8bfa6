package dev.stint.apiserver.access.pki;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;

/** Key pairs of the curve P-256: fast to make and to sign with, and supported by every client. */
public final class EcKeys {
  private EcKeys() {}

  public static KeyPair generate() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** Returns both keys as PEM text. */
  static String pem(KeyPair keys) {
    return new Pem(Pem.PRIVATE_KEY, keys.getPrivate().getEncoded()).text()
        + new Pem(Pem.PUBLIC_KEY, keys.getPublic().getEncoded()).text();
  }

  /** Reads the output of {@link #pem}. */
  static KeyPair parse(String text) throws GeneralSecurityException {
    List<Pem> blocks = Pem.read(text);
    KeyFactory factory = KeyFactory.getInstance("EC");
    return new KeyPair(
        factory.generatePublic(
            new X509EncodedKeySpec(
                Pem.find(blocks, Pem.PUBLIC_KEY).orElseThrow(EcKeys::incomplete))),
        factory.generatePrivate(
            new PKCS8EncodedKeySpec(
                Pem.find(blocks, Pem.PRIVATE_KEY).orElseThrow(EcKeys::incomplete))));
  }

  private static GeneralSecurityException incomplete() {
    return new GeneralSecurityException("a key is missing");
  }
}
