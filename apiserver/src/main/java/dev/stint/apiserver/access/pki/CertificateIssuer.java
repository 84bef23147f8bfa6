package dev.stint.apiserver.access.pki;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Issues certificates (RFC 5280). The only class that needs BouncyCastle, so that an API with
 * existing certificates starts without loading it.
 */
public final class CertificateIssuer {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SERIAL_BITS = 127;

  private CertificateIssuer() {}

  /** The validity period of a certificate. */
  public record Validity(Instant from, Instant until) {}

  /** Issues a new, self-signed authority. */
  static CertificateAndKey authority(String name, Validity validity)
      throws GeneralSecurityException {
    KeyPair keys = EcKeys.generate();
    X500Name subject = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, name).build();
    try {
      X509v3CertificateBuilder builder = builder(subject, subject, validity, keys);
      JcaX509ExtensionUtils ids = new JcaX509ExtensionUtils();
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
          .addExtension(
              Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
          .addExtension(
              Extension.subjectKeyIdentifier,
              false,
              ids.createSubjectKeyIdentifier(keys.getPublic()))
          .addExtension(
              Extension.authorityKeyIdentifier,
              false,
              ids.createAuthorityKeyIdentifier(keys.getPublic()));
      return signed(builder, keys.getPrivate(), keys.getPrivate());
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
  }

  /**
   * Issues a server's certificate.
   *
   * @param hosts names and addresses, at least one
   */
  static CertificateAndKey server(
      CertificateAndKey authority, String name, Collection<String> hosts, Validity validity)
      throws GeneralSecurityException {
    X500Name subject = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, name).build();
    GeneralName[] names =
        hosts.stream().map(CertificateIssuer::generalName).toArray(GeneralName[]::new);
    return leaf(
        authority, subject, KeyPurposeId.id_kp_serverAuth, new GeneralNames(names), validity);
  }

  /** Issues a client's certificate, which names the user (CN) and its group (O). */
  public static CertificateAndKey client(
      CertificateAndKey authority, String user, String group, Validity validity)
      throws GeneralSecurityException {
    X500Name subject =
        new X500NameBuilder(BCStyle.INSTANCE)
            .addRDN(BCStyle.O, group)
            .addRDN(BCStyle.CN, user)
            .build();
    return leaf(authority, subject, KeyPurposeId.id_kp_clientAuth, null, validity);
  }

  private static CertificateAndKey leaf(
      CertificateAndKey authority,
      X500Name subject,
      KeyPurposeId purpose,
      @Nullable GeneralNames names,
      Validity validity)
      throws GeneralSecurityException {
    KeyPair keys = EcKeys.generate();
    X500Name issuer =
        X500Name.getInstance(authority.certificate().getSubjectX500Principal().getEncoded());
    try {
      X509v3CertificateBuilder builder = builder(issuer, subject, validity, keys);
      JcaX509ExtensionUtils ids = new JcaX509ExtensionUtils();
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
          .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose))
          .addExtension(
              Extension.subjectKeyIdentifier,
              false,
              ids.createSubjectKeyIdentifier(keys.getPublic()))
          .addExtension(
              Extension.authorityKeyIdentifier,
              false,
              ids.createAuthorityKeyIdentifier(authority.certificate().getPublicKey()));
      if (names != null) {
        builder.addExtension(Extension.subjectAlternativeName, false, names);
      }
      return signed(builder, authority.key(), keys.getPrivate());
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, Validity validity, KeyPair keys) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1),
        Date.from(validity.from),
        Date.from(validity.until),
        subject,
        keys.getPublic());
  }

  private static CertificateAndKey signed(
      X509v3CertificateBuilder builder, PrivateKey signer, PrivateKey key)
      throws GeneralSecurityException, IOException {
    try {
      byte[] der =
          builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer)).getEncoded();
      return new CertificateAndKey(
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der)),
          key);
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static GeneralName generalName(String host) {
    int type = HostNames.isAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName;
    return new GeneralName(type, host);
  }
}
