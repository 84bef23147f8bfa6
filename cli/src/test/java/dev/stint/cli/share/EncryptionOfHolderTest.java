package dev.stint.cli.share;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.output.UserException;
import dev.stint.embedded.share.HolderInfo;
import dev.stint.embedded.share.PodPermissions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EncryptionOfHolderTest {
  private static final EncryptionConfiguration SECRETS =
      EncryptionConfiguration.parse(
          """
          apiVersion: apiserver.config.k8s.io/v1
          kind: EncryptionConfiguration
          resources:
          - resources: [secrets]
            providers:
            - aescbc: {keys: [{name: a, secret: AAAAAAAAAAAAAAAAAAAAAA==}]}
          """
              .getBytes(UTF_8));

  private static void join(EncryptionConfiguration holder, EncryptionConfiguration own) {
    HolderInfo info =
        new HolderInfo(7, "run", "PROCESS", holder.digest(), null, PodPermissions.NONE);
    SharedDirectory.checkEncryption(Path.of("/data"), info, own.digest());
  }

  @Test
  void withoutTheKeysOfTheHolderACommandCannotJoin() {
    assertThatThrownBy(() -> join(SECRETS, EncryptionConfiguration.NONE))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith("/data is in use by stint run (pid 7), which encrypts")
        .hasMessageContaining("--encryption-provider-config");
    assertThatThrownBy(() -> join(EncryptionConfiguration.NONE, SECRETS))
        .isInstanceOf(UserException.class);
  }

  @Test
  void withTheSameOnesItCan() {
    assertThatCode(() -> join(SECRETS, SECRETS)).doesNotThrowAnyException();
  }
}
