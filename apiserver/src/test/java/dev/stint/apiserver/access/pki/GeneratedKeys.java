package dev.stint.apiserver.access.pki;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import org.jspecify.annotations.Nullable;

/** Key pairs for tests. */
public final class GeneratedKeys {
  private static @Nullable KeyPair rsa;

  private GeneratedKeys() {}

  /** Returns an RSA key of 2048 bits, always the same, since it takes a second to find one. */
  public static synchronized KeyPair rsa() throws GeneralSecurityException {
    if (rsa == null) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      rsa = generator.generateKeyPair();
    }
    return rsa;
  }

  /** Returns a key of a named elliptic curve. */
  public static KeyPair ec(String curve) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(curve));
    return generator.generateKeyPair();
  }
}
