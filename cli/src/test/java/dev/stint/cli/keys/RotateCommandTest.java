package dev.stint.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.cli.Recorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(strings = {"rotate admin-token", "console", "ls", "up --pod-user 2000000-2000010"})
  void rootIsKeptOutOfTheDirectoryOfAnotherUser(String command) throws IOException {
    assumeTrue(
        Files.getAttribute(data, "unix:uid").equals(0),
        "NOT TESTED: only root can give files away");
    String token = open().adminToken();
    Files.setAttribute(data.resolve("pki"), "unix:uid", 1);
    String before = contents();
    Recorded refused = Recorded.plain();
    assertThat(refused.run((command + " --data " + data).split(" "))).isEqualTo(2);
    assertThat(refused.err())
        .singleElement()
        .asString()
        .contains(data + " belongs to ", "run the command as that user: sudo -u ");
    assertThat(contents()).isEqualTo(before);
    assertThat(open().adminToken()).isEqualTo(token);
  }

  private String contents() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files.map(Path::toString).sorted().collect(Collectors.joining("\n"));
    }
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
