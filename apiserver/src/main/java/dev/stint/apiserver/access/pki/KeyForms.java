package dev.stint.apiserver.access.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.ECNamedCurveTable;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.jspecify.annotations.Nullable;

/**
 * Converts encoded keys to the forms that the JDK reads: PKCS 8 for private keys, X.509 for public
 * ones. Apart from {@link PemKeys}, so that most starts don't load BouncyCastle.
 */
final class KeyForms {
  private KeyForms() {}

  private interface Encoding {
    byte[] make() throws IOException;
  }

  /** Returns a key of PKCS 1 (RFC 8017) as PKCS 8. */
  static byte[] pkcs8FromPkcs1(byte[] der) throws GeneralSecurityException {
    return encoded(() -> new PrivateKeyInfo(rsa(), RSAPrivateKey.getInstance(der)).getEncoded());
  }

  /** Returns a key of SEC 1 (RFC 5915), which names its curve, as PKCS 8. */
  static byte[] pkcs8FromSec1(byte[] der) throws GeneralSecurityException {
    return encoded(() -> {
      ECPrivateKey key = ECPrivateKey.getInstance(der);
      return new PrivateKeyInfo(curve(key.getParametersObject()), key).getEncoded();
    });
  }

  /** Returns a public key of PKCS 1 as X.509. */
  static byte[] publicFromPkcs1(byte[] der) throws GeneralSecurityException {
    return encoded(
        () -> new SubjectPublicKeyInfo(rsa(), RSAPublicKey.getInstance(der)).getEncoded());
  }

  /** Returns the public key of an EC key in PKCS 8, which need not hold it, as X.509. */
  static byte[] publicFromPrivate(byte[] pkcs8) throws GeneralSecurityException {
    return encoded(() -> {
      PrivateKeyInfo info = PrivateKeyInfo.getInstance(pkcs8);
      ASN1Encodable parameters = info.getPrivateKeyAlgorithm().getParameters();
      X9ECParameters curve =
          ECNamedCurveTable.getByOID(ASN1ObjectIdentifier.getInstance(parameters));
      BigInteger secret = ECPrivateKey.getInstance(info.parsePrivateKey()).getKey();
      ECPoint point = new FixedPointCombMultiplier().multiply(curve.getG(), secret);
      return new SubjectPublicKeyInfo(
              info.getPrivateKeyAlgorithm(), point.normalize().getEncoded(false))
          .getEncoded();
    });
  }

  private static AlgorithmIdentifier rsa() {
    return new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);
  }

  private static AlgorithmIdentifier curve(@Nullable ASN1Object parameters) {
    if (parameters == null) {
      throw new IllegalArgumentException("it names no curve");
    }
    return new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, parameters);
  }

  private static byte[] encoded(Encoding encoding) throws GeneralSecurityException {
    try {
      return encoding.make();
    } catch (IOException | RuntimeException malformed) {
      throw new GeneralSecurityException(
          "its key is malformed: " + malformed.getMessage(), malformed);
    }
  }
}
