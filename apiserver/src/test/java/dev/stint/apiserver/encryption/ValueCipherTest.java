package dev.stint.apiserver.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValueCipherTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final byte[] CONTEXT = "/registry/secrets/a/b".getBytes(UTF_8);

  static Stream<ValueCipher> all() {
    return Stream.of(
        new ValueCipher.AesCbc(new SecretKeySpec(new byte[16], "AES")),
        new ValueCipher.AesGcm(new SecretKeySpec(new byte[24], "AES")),
        new ValueCipher.SecretBox(new byte[32]));
  }

  @ParameterizedTest
  @MethodSource("all")
  void valuesOfEveryLengthComeBackAndNoTwoCiphertextsAreEqual(ValueCipher cipher)
      throws GeneralSecurityException {
    for (int length = 1; length < 70; length++) {
      byte[] plain = ("{" + "x".repeat(length - 1)).getBytes(UTF_8);
      byte[] stored = cipher.encrypt(plain, CONTEXT);
      assertThat(cipher.decrypt(stored, CONTEXT)).isEqualTo(plain);
      assertThat(cipher.encrypt(plain, CONTEXT)).isNotEqualTo(stored);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void truncatedValuesAreRefused(ValueCipher cipher) throws GeneralSecurityException {
    byte[] stored = cipher.encrypt("{".getBytes(UTF_8), CONTEXT);
    for (int length = 0; length < stored.length; length++) {
      byte[] cut = Arrays.copyOf(stored, length);
      assertThatThrownBy(() -> cipher.decrypt(cut, CONTEXT))
          .isInstanceOf(GeneralSecurityException.class);
    }
  }

  @Test
  void authenticatedValuesWithOneOtherBitAreRefused() throws GeneralSecurityException {
    for (ValueCipher cipher : all().skip(1).toList()) {
      byte[] stored = cipher.encrypt("{\"a\":1}".getBytes(UTF_8), CONTEXT);
      for (int i = 0; i < stored.length; i++) {
        byte[] changed = stored.clone();
        changed[i] ^= 1;
        assertThatThrownBy(() -> cipher.decrypt(changed, CONTEXT))
            .isInstanceOf(GeneralSecurityException.class);
      }
    }
  }

  /** The example of NaCl's own tests. */
  @Test
  void secretBoxIsThatOfNacl() throws GeneralSecurityException {
    ValueCipher.SecretBox box =
        new ValueCipher.SecretBox(
            HEX.parseHex("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389"));
    byte[] nonce = HEX.parseHex("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37");
    byte[] plain =
        HEX.parseHex(
            "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d4"
                + "5e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556a"
                + "d6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937"
                + "763848645e0705");
    byte[] box1 = box.sealed(nonce, plain);
    assertThat(HEX.formatHex(box1, 24, box1.length))
        .isEqualTo(
            "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c5"
                + "31a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee3"
                + "14a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e"
                + "88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5");
    assertThat(box.decrypt(box1, new byte[0])).isEqualTo(plain);
  }
}
