package dev.stint.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.cli.Recorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotateCommandTest {
  @TempDir private Path data;

  @Test
  void eachSubjectIsReplaced() throws IOException {
    Pki first = open();
    assertThat(rotate("admin-token")).singleElement().asString().contains("refused from now on");
    Pki second = open();
    assertThat(second.adminToken()).isNotEqualTo(first.adminToken());
    assertThat(rotate("certificates")).singleElement().asString().contains("until they expire");
    assertThat(data.resolve("pki/server.pem")).doesNotExist();
    assertThat(open().authorityPem()).isEqualTo(second.authorityPem());
    assertThat(rotate("ca")).singleElement().asString().contains("new authority");
    assertThat(open().authorityPem()).isNotEqualTo(second.authorityPem());
    assertThat(rotate("service-account-key")).hasSize(1);
    assertThat(open().signingKey().getPublic()).isNotEqualTo(first.signingKey().getPublic());
  }

  @Test
  void otherSubjectsAndEmptyDirectoriesAreRefusedInOneLine() throws IOException {
    Recorded refused = Recorded.plain();
    assertThat(refused.run("rotate", "keys", "--data", data.toString())).isEqualTo(2);
    assertThat(refused.err())
        .containsExactly(
            "stint: cannot rotate \"keys\"; it must be admin-token, certificates, ca or"
                + " service-account-key");
    Recorded empty = Recorded.plain();
    assertThat(empty.run("rotate", "admin-token", "--data", data.toString())).isEqualTo(2);
    assertThat(empty.err()).singleElement().asString().contains("has no keys yet");
    Recorded nobody = Recorded.plain();
    assertThat(nobody.run("console", "--data", Files.createDirectory(data.resolve("d")).toString()))
        .isEqualTo(2);
    assertThat(nobody.err()).singleElement().asString().startsWith("stint: no stint up serves");
  }

  private List<String> rotate(String what) {
    Recorded recorded = Recorded.plain();
    assertThat(recorded.run("rotate", what, "--data", data.toString())).isZero();
    assertThat(recorded.out()).isEmpty();
    return recorded.err();
  }

  private Pki open() throws IOException {
    return Pki.open(data.resolve("pki"), InstantSource.system(), List.of());
  }
}
