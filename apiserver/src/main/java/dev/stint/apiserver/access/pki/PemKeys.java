package dev.stint.apiserver.access.pki;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the keys and certificates of PEM texts that others made: EC and RSA keys in PKCS 8, PKCS 1
 * and SEC 1, public keys, certificates.
 */
final class PemKeys {
  private static final String RSA_PRIVATE_KEY = "RSA PRIVATE KEY";
  private static final String EC_PRIVATE_KEY = "EC PRIVATE KEY";
  private static final String RSA_PUBLIC_KEY = "RSA PUBLIC KEY";
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

  private PemKeys() {}

  /**
   * Returns the certificates of a text, in order.
   *
   * @throws GeneralSecurityException if there is none, or one is malformed
   */
  static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
    List<X509Certificate> found = new ArrayList<>();
    for (Pem block : blocks(text)) {
      if (block.label().equals(Pem.CERTIFICATE)) {
        found.add(certificate(block.der()));
      }
    }
    if (found.isEmpty()) {
      throw new GeneralSecurityException("it holds no certificate");
    }
    return found;
  }

  /**
   * Returns the first private key of a text.
   *
   * @throws GeneralSecurityException if there is none that can be read
   */
  static PrivateKey privateKey(String text) throws GeneralSecurityException {
    for (Pem block : blocks(text)) {
      if (isPrivate(block)) {
        return privateKey(block);
      }
      if (block.label().equals("ENCRYPTED PRIVATE KEY")) {
        throw new GeneralSecurityException("its private key is encrypted");
      }
    }
    throw new GeneralSecurityException("it holds no private key");
  }

  /**
   * Returns the public keys of a text: those of its public keys, certificates and private keys.
   *
   * @throws GeneralSecurityException if there is none, or one cannot be read
   */
  static List<PublicKey> publicKeys(String text) throws GeneralSecurityException {
    List<PublicKey> found = new ArrayList<>();
    for (Pem block : blocks(text)) {
      if (isPrivate(block)) {
        found.add(pair(privateKey(block)).getPublic());
      } else if (block.label().equals(Pem.CERTIFICATE)) {
        found.add(certificate(block.der()).getPublicKey());
      } else if (block.label().equals(Pem.PUBLIC_KEY)) {
        found.add(publicKey(block.der()));
      } else if (block.label().equals(RSA_PUBLIC_KEY)) {
        found.add(publicKey(KeyForms.publicFromPkcs1(block.der())));
      }
    }
    if (found.isEmpty()) {
      throw new GeneralSecurityException("it holds neither a key nor a certificate");
    }
    return found;
  }

  /** Returns a private key of RSA or EC with its public one. */
  static KeyPair pair(PrivateKey key) throws GeneralSecurityException {
    if (key instanceof RSAPrivateCrtKey rsa) {
      RSAPublicKeySpec spec = new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent());
      return new KeyPair(KeyFactory.getInstance("RSA").generatePublic(spec), key);
    }
    return new KeyPair(publicKey(KeyForms.publicFromPrivate(key.getEncoded())), key);
  }

  private static List<Pem> blocks(String text) throws GeneralSecurityException {
    try {
      return Pem.read(text);
    } catch (IllegalArgumentException malformed) {
      throw new GeneralSecurityException("it is not PEM: " + malformed.getMessage(), malformed);
    }
  }

  private static boolean isPrivate(Pem block) {
    return switch (block.label()) {
      case Pem.PRIVATE_KEY, RSA_PRIVATE_KEY, EC_PRIVATE_KEY -> true;
      default -> false;
    };
  }

  private static PrivateKey privateKey(Pem block) throws GeneralSecurityException {
    byte[] pkcs8 =
        switch (block.label()) {
          case RSA_PRIVATE_KEY -> KeyForms.pkcs8FromPkcs1(block.der());
          case EC_PRIVATE_KEY -> KeyForms.pkcs8FromSec1(block.der());
          default -> block.der();
        };
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException another) {
        // It is a key of another algorithm.
      }
    }
    throw new GeneralSecurityException("its private key is malformed, or neither EC nor RSA");
  }

  private static PublicKey publicKey(byte[] info) throws GeneralSecurityException {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(info));
      } catch (InvalidKeySpecException another) {
        // Likewise.
      }
    }
    throw new GeneralSecurityException("its public key is malformed, or neither EC nor RSA");
  }

  private static X509Certificate certificate(byte[] der) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }
}
