package dev.stint.apiserver.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncryptionConfigurationTest {
  private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAA==";

  @Test
  void theFirstEntryThatMatchesHolds() {
    EncryptionConfiguration parsed =
        parse(
            "[{resources: [secrets], providers: [{identity: {}}]},"
                + " {resources: ['*.*'], providers: [{aesgcm: {keys: [{name: a, secret: "
                + KEY
                + "}, {name: b, secret: "
                + KEY
                + "}]}}, {identity: {}}]}]");
    assertThat(parsed.providers("/registry/secrets/a/b"))
        .containsExactly(EncryptionProvider.IDENTITY);
    assertThat(parsed.providers("/registry/configmaps/a/b")).hasSize(3);
  }

  @Test
  void whatNoEntryNamesIsNotEncrypted() {
    assertThat(
            parse(
                    "[{resources: [secrets], providers: [{aescbc: {keys: [{name: a, secret: "
                        + KEY
                        + "}]}}]}]")
                .providers("/registry/batch/jobs/a/b"))
        .containsExactly(EncryptionProvider.IDENTITY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | resources: must not be empty",
        "[{providers: [{identity: {}}]}] | resources[0].resources: must not be empty",
        "[{resources: [secrets]}] | resources[0].providers: must not be empty",
        "[{resources: ['*'], providers: [{identity: {}}]}] | resources[0].resources[0]: use *. for",
        "[{resources: [Secrets], providers: [{identity: {}}]}] | resources[0].resources[0]: must be",
        "[{resources: [secrets, secrets], providers: [{identity: {}}]}] | an earlier entry",
        "[{resources: [secrets], providers: [{}]}] | resources[0].providers[0]: must name one of",
        "[{resources: [secrets], providers: [{kms: {}}]}] | providers[0].kms: is not supported",
        "[{resources: [secrets], providers: [{aescbc: {}}]}] | aescbc.keys: must not be empty",
        "[{resources: [secrets], providers: [{aescbc: {key: 1}}]}] | aescbc.key: unknown field",
        "[{resources: [secrets], providers: [{aescbc: {keys: [{name: a, secret: QQ==}]}}]}] | keys[0].secret: must have 16",
        "[{resources: [secrets], providers: [{secretbox: {keys: [{name: a, secret: QQ==}]}}]}] | keys[0].secret: must have 32 bytes",
        "[{resources: [secrets], providers: [{aescbc: {keys: [{name: a, secret: '%'}]}}]}] | keys[0].secret: must be base64",
        "[{resources: [secrets], providers: [{aescbc: {keys: [{name: 'a:b', secret: QQ==}]}}]}] | keys[0].name: must not",
        "[{resources: [secrets], providers: [{identity: {}, aescbc: {}}]}] | must name one of",
        "7 | resources: must not be empty",
      })
  void faultsNameTheField(String resources, String fault) {
    assertThatThrownBy(() -> parse(resources))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(fault)
        .hasMessageNotContaining("QQ==");
  }

  @Test
  void otherDocumentsAreRefused() {
    assertThatThrownBy(() -> EncryptionConfiguration.parse("kind: Secret".getBytes(UTF_8)))
        .hasMessage("apiVersion: must be apiserver.config.k8s.io/v1");
    assertThatThrownBy(() -> EncryptionConfiguration.parse("{".getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EncryptionConfiguration.parse("[]".getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static EncryptionConfiguration parse(String resources) {
    return EncryptionConfiguration.parse(
        ("{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: "
                + resources
                + "}")
            .getBytes(UTF_8));
  }

  @Test
  void theDigestTellsProvidersAndNamesApartAndNothingOfKeys() {
    assertThat(EncryptionConfiguration.NONE.digest()).isEmpty();
    assertThat(digest("secrets", "a", "A")).hasSize(64).isEqualTo(digest("secrets", "a", "B"));
    assertThat(
            Stream.of(
                    digest("secrets", "a", "A"),
                    digest("secrets", "b", "A"),
                    digest("configmaps", "a", "A"))
                .distinct())
        .hasSize(3);
  }

  private static String digest(String resource, String key, String letter) {
    String secret = Base64.getEncoder().encodeToString(letter.repeat(32).getBytes(UTF_8));
    String text =
        "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n"
            + "- resources: [%s]\n  providers:\n  - aescbc: {keys: [{name: %s, secret: %s}]}\n"
                .formatted(resource, key, secret);
    return EncryptionConfiguration.parse(text.getBytes(UTF_8)).digest();
  }
}
