package dev.stint.apiserver.encryption;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.engines.XSalsa20Engine;
import org.bouncycastle.crypto.macs.Poly1305;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/**
 * One way to encrypt a value with one key. The bytes are those that Kubernetes writes: a random
 * nonce, then the ciphertext.
 */
sealed interface ValueCipher {
  SecureRandom RANDOM = new SecureRandom();

  /**
   * Encrypts a value.
   *
   * @param context where the value is stored; authenticated where the scheme has a place for it
   */
  byte[] encrypt(byte[] plain, byte[] context) throws GeneralSecurityException;

  /**
   * Decrypts a value.
   *
   * @throws GeneralSecurityException the key, the value or its context is another one
   */
  byte[] decrypt(byte[] stored, byte[] context) throws GeneralSecurityException;

  private static byte[] nonce(int bytes) {
    byte[] nonce = new byte[bytes];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  private static void atLeast(byte[] stored, int bytes) throws GeneralSecurityException {
    if (stored.length < bytes) {
      throw new GeneralSecurityException("the value is too short");
    }
  }

  /** AES in Galois/counter mode: authenticated, together with the context. */
  record AesGcm(SecretKeySpec key) implements ValueCipher {
    private static final int NONCE = 12;
    private static final int TAG = 16;

    private Cipher cipher(int mode, byte[] nonce, byte[] context) throws GeneralSecurityException {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, key, new GCMParameterSpec(8 * TAG, nonce, 0, NONCE));
      cipher.updateAAD(context);
      return cipher;
    }

    @Override
    public byte[] encrypt(byte[] plain, byte[] context) throws GeneralSecurityException {
      byte[] nonce = nonce(NONCE);
      return joined(nonce, cipher(Cipher.ENCRYPT_MODE, nonce, context).doFinal(plain));
    }

    @Override
    public byte[] decrypt(byte[] stored, byte[] context) throws GeneralSecurityException {
      atLeast(stored, NONCE + TAG);
      return cipher(Cipher.DECRYPT_MODE, stored, context)
          .doFinal(stored, NONCE, stored.length - NONCE);
    }
  }

  /** AES in cipher block chaining mode, with PKCS #7 padding: not authenticated. */
  record AesCbc(SecretKeySpec key) implements ValueCipher {
    private static final int BLOCK = 16;

    private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
      Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
      cipher.init(mode, key, new IvParameterSpec(nonce, 0, BLOCK));
      return cipher;
    }

    @Override
    public byte[] encrypt(byte[] plain, byte[] context) throws GeneralSecurityException {
      byte[] nonce = nonce(BLOCK);
      return joined(nonce, cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(plain));
    }

    @Override
    public byte[] decrypt(byte[] stored, byte[] context) throws GeneralSecurityException {
      atLeast(stored, 2 * BLOCK);
      byte[] plain =
          cipher(Cipher.DECRYPT_MODE, stored).doFinal(stored, BLOCK, stored.length - BLOCK);
      if (plain.length == 0 || plain[0] != '{') {
        throw new GeneralSecurityException("not a document"); // Wrong keys leave valid padding.
      }
      return plain;
    }
  }

  /** XSalsa20 and Poly1305, as NaCl's {@code secretbox}: authenticated. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record SecretBox(byte[] key) implements ValueCipher {
    private static final int NONCE = 24;
    private static final int TAG = 16;
    private static final int MAC_KEY = 32;

    @Override
    public byte[] encrypt(byte[] plain, byte[] context) {
      return sealed(nonce(NONCE), plain);
    }

    byte[] sealed(byte[] nonce, byte[] plain) {
      XSalsa20Engine stream = stream(nonce);
      byte[] macKey = macKey(stream);
      byte[] stored = Arrays.copyOf(nonce, NONCE + TAG + plain.length);
      stream.processBytes(plain, 0, plain.length, stored, NONCE + TAG);
      System.arraycopy(tag(macKey, stored), 0, stored, NONCE, TAG);
      return stored;
    }

    @Override
    public byte[] decrypt(byte[] stored, byte[] context) throws GeneralSecurityException {
      atLeast(stored, NONCE + TAG);
      XSalsa20Engine stream = stream(stored);
      byte[] tag = tag(macKey(stream), stored);
      if (!MessageDigest.isEqual(tag, Arrays.copyOfRange(stored, NONCE, NONCE + TAG))) {
        throw new AEADBadTagException("the tag is another one");
      }
      byte[] plain = new byte[stored.length - NONCE - TAG];
      stream.processBytes(stored, NONCE + TAG, plain.length, plain, 0);
      return plain;
    }

    private XSalsa20Engine stream(byte[] nonce) {
      XSalsa20Engine stream = new XSalsa20Engine();
      stream.init(true, new ParametersWithIV(new KeyParameter(key), nonce, 0, NONCE));
      return stream;
    }

    /** Returns the first bytes of the key stream, which authenticate the rest. */
    private static byte[] macKey(XSalsa20Engine stream) {
      byte[] key = new byte[MAC_KEY];
      stream.processBytes(key, 0, MAC_KEY, key, 0);
      return key;
    }

    private static byte[] tag(byte[] key, byte[] stored) {
      Poly1305 mac = new Poly1305();
      mac.init(new KeyParameter(key));
      mac.update(stored, NONCE + TAG, stored.length - NONCE - TAG);
      byte[] tag = new byte[TAG];
      mac.doFinal(tag, 0);
      return tag;
    }
  }
}
