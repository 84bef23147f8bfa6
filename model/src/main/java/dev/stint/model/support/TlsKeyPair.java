package dev.stint.model.support;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a certificate and a key in PEM belong together, with the messages of Go's TLS
 * library. A pair that this JVM cannot check is accepted.
 */
final class TlsKeyPair {
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PRIVATE_KEY = "PRIVATE KEY";
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int LENGTH_OF_TWO_BYTES = 0x82;
  private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
  private static final byte[] MESSAGE = {0};
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");
  private static final Map<String, String> ALGORITHMS =
      Map.of("RSA PRIVATE KEY", "RSA", "EC PRIVATE KEY", "EC");
  private static final String OTHER_ALGORITHM =
      "tls: private key type does not match public key type";
  private static final String UNPARSED_KEY = "tls: failed to parse private key";
  private static final int LONGEST_CERTIFICATES = 64 * 1024;
  private static final int LONGEST_KEYS = 16 * 1024;

  private TlsKeyPair() {}

  /** Returns the fault in Go's words; null if there is none. */
  static @Nullable String fault(byte[] certificates, byte[] keys) {
    if (certificates.length > LONGEST_CERTIFICATES || keys.length > LONGEST_KEYS) {
      return null;
    }
    List<PemBlock> chain = PemBlock.of(certificates);
    Optional<PemBlock> leaf = chain.stream().filter(b -> b.type().equals(CERTIFICATE)).findFirst();
    if (leaf.isEmpty()) {
      return withoutCertificate(chain);
    }
    List<PemBlock> found = PemBlock.of(keys);
    Optional<PemBlock> key = found.stream().filter(PemBlock::isPrivateKey).findFirst();
    if (key.isEmpty()) {
      return withoutKey(found);
    }
    if (!isSequence(leaf.get().der())) {
      return "x509: malformed certificate";
    }
    if (!isSequence(key.get().der())) {
      return UNPARSED_KEY;
    }
    return mismatch(leaf.get().der(), key.get());
  }

  private static String withoutCertificate(List<PemBlock> found) {
    if (found.isEmpty()) {
      return "tls: failed to find any PEM data in certificate input";
    }
    if (found.size() == 1 && found.getFirst().type().endsWith(PRIVATE_KEY)) {
      return "tls: failed to find certificate PEM data in certificate input, but did find a private"
          + " key; PEM inputs may have been switched";
    }
    return "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM"
        + " blocks of the following types: "
        + types(found);
  }

  private static String withoutKey(List<PemBlock> found) {
    if (found.isEmpty()) {
      return "tls: failed to find any PEM data in key input";
    }
    if (found.size() == 1 && found.getFirst().type().equals(CERTIFICATE)) {
      return "tls: found a certificate rather than a key in the PEM for the private key";
    }
    return "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after"
        + " skipping PEM blocks of the following types: "
        + types(found);
  }

  private static String types(List<PemBlock> found) {
    return "[" + String.join(" ", found.stream().map(PemBlock::type).toList()) + "]";
  }

  /** True if this may be the DER of a certificate or key: one sequence without trailing bytes. */
  private static boolean isSequence(byte[] der) {
    return der.length > 1
        && der[0] == SEQUENCE
        && header(der, 0) <= der.length
        && header(der, 0) + size(der, 0) == der.length;
  }

  /** Returns the offset of the content of the DER value at {@code at}. */
  private static int header(byte[] der, int at) {
    int first = Byte.toUnsignedInt(der[at + 1]);
    return at + 2 + (first < 128 ? 0 : first - 128);
  }

  /** Returns the length of the content of the DER value at {@code at}. */
  private static int size(byte[] der, int at) {
    int first = Byte.toUnsignedInt(der[at + 1]);
    return first < 128 ? first : new BigInteger(1, der, at + 2, first - 128).intValue();
  }

  private static @Nullable String mismatch(byte[] certificate, PemBlock encodedKey) {
    try {
      PublicKey known =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(certificate))
              .getPublicKey();
      String named = ALGORITHMS.getOrDefault(encodedKey.type(), known.getAlgorithm());
      if (!named.equals(known.getAlgorithm())) {
        return OTHER_ALGORITHM;
      }
      PrivateKey key = privateKey(encodedKey.der(), known);
      if (!key.getAlgorithm().equals(known.getAlgorithm())) {
        return OTHER_ALGORITHM;
      }
      if (key.getAlgorithm().equals("RSA") && !hasSoundPrimes(key)) {
        return UNPARSED_KEY;
      }
      return signs(key, known) ? null : "tls: private key does not match public key";
    } catch (GeneralSecurityException | RuntimeException unknown) {
      return null; // the JDK's classes throw many exceptions for invalid bytes
    }
  }

  /**
   * True for an RSA key whose parts fit its modulus. Signing with any other can take minutes: its
   * exponents may be as long as the key's text.
   */
  private static boolean hasSoundPrimes(PrivateKey key) {
    return key instanceof RSAPrivateCrtKey rsa
        && rsa.getPrimeP().multiply(rsa.getPrimeQ()).equals(rsa.getModulus())
        && isBetween(rsa.getPrimeExponentP(), rsa.getPrimeP())
        && isBetween(rsa.getPrimeExponentQ(), rsa.getPrimeQ());
  }

  /** True if a number is above 0 and below an end. */
  private static boolean isBetween(BigInteger number, BigInteger end) {
    return number.signum() > 0 && number.compareTo(end) < 0;
  }

  /** Reads a key in PKCS #8, or in a form of its own algorithm (PKCS #1, SEC 1). */
  private static PrivateKey privateKey(byte[] encoded, PublicKey like)
      throws GeneralSecurityException {
    for (String algorithm : SIGNATURES.keySet()) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException another) {
        // Another algorithm may accept the key.
      }
    }
    byte[] wrapped = der(SEQUENCE, VERSION_0, algorithmOf(like), der(OCTETS, encoded));
    return KeyFactory.getInstance(like.getAlgorithm())
        .generatePrivate(new PKCS8EncodedKeySpec(wrapped));
  }

  /** Returns the DER of a key's algorithm, the first part of an encoded public key. */
  private static byte[] algorithmOf(PublicKey key) {
    byte[] der = key.getEncoded();
    int start = header(der, 0);
    int end = header(der, start) + size(der, start);
    return Arrays.copyOfRange(der, start, end);
  }

  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      body.writeBytes(part);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(tag);
    all.write(LENGTH_OF_TWO_BYTES);
    all.write(body.size() >> 8);
    all.write(body.size());
    all.writeBytes(body.toByteArray());
    return all.toByteArray();
  }

  private static boolean signs(PrivateKey key, PublicKey known) throws GeneralSecurityException {
    String algorithm = SIGNATURES.get(key.getAlgorithm());
    if (algorithm == null) {
      return true;
    }
    Signature signing = Signature.getInstance(algorithm);
    signing.initSign(key);
    signing.update(MESSAGE);
    Signature checking = Signature.getInstance(algorithm);
    checking.initVerify(known);
    checking.update(MESSAGE);
    return checking.verify(signing.sign());
  }
}
