package dev.stint.apiserver.access.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminTokenTest {
  @TempDir private Path data;
  private Path keys;
  private Path file;
  private Instant now = Instant.now();
  private AdminToken token;

  @BeforeEach
  void open() throws IOException {
    keys = data.resolve("pki");
    file = keys.resolve("admin.token");
    Pki.open(keys, InstantSource.system(), List.of());
    token = new AdminToken(keys, () -> now);
  }

  @Test
  void aNewTokenHoldsAtOnceAndTheFormerOneIsRefused() throws IOException {
    String former = token.get();
    assertThat(former).isEqualTo(Pki.open(keys, InstantSource.system(), List.of()).adminToken());
    Files.writeString(data.resolve("kubeconfig"), "    token: \"" + former + "\"\n");
    Files.setLastModifiedTime(file, FileTime.from(now.minusSeconds(60)));
    AdminToken.rotate(keys, data.resolve("kubeconfig"));
    assertThat(token.get()).hasSize(43).isNotEqualTo(former);
    assertThat(data.resolve("kubeconfig")).hasContent("    token: \"" + token.get() + "\"\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aRotationThatWasCutOffIsRepeated() throws IOException {
    Path kubeconfig = data.resolve("kubeconfig");
    KubeconfigFile.write(
        kubeconfig, "https://x", Pki.open(keys, InstantSource.system(), List.of()));
    String before = Files.readString(kubeconfig);
    String former = token.get();
    Files.writeString(file, "cut-off\n");
    AdminToken.rotate(keys, kubeconfig);
    String next = Files.readString(file).strip();
    assertThat(next).hasSize(43);
    assertThat(kubeconfig).hasContent(before.replace(former, next));
  }

  @Test
  void aTokenEndsAfterAYear() {
    now = now.plus(Duration.ofDays(364));
    assertThat(token.get()).isNotNull();
    now = now.plus(Duration.ofDays(2));
    assertThat(token.get()).isNull();
  }

  @Test
  void aStartReplacesATokenThatEndsSoon() throws IOException {
    String former = token.get();
    Files.setLastModifiedTime(file, FileTime.from(now.minus(Duration.ofDays(359))));
    assertThat(Pki.open(keys, InstantSource.system(), List.of()).adminToken())
        .isNotEqualTo(former)
        .isEqualTo(new AdminToken(keys, () -> now).get());
  }

  @Test
  void withoutAFileNoTokenIsValid() throws IOException {
    Files.delete(file);
    assertThat(token.get()).isNull();
    Files.writeString(file, "\n");
    assertThat(token.get()).isNull();
  }

  @Test
  void whatIsRemovedIsMadeAnew() throws IOException {
    Pki first = Pki.open(keys, InstantSource.system(), List.of());
    KeyRotation.remove(keys, KeyRotation.Subject.CERTIFICATES);
    Pki second = Pki.open(keys, InstantSource.system(), List.of());
    assertThat(second.authority()).isEqualTo(first.authority());
    assertThat(second.server()).isNotEqualTo(first.server());
    assertThat(second.admin()).isNotEqualTo(first.admin());
    KeyRotation.remove(keys, KeyRotation.Subject.AUTHORITY);
    Pki third = Pki.open(keys, InstantSource.system(), List.of());
    assertThat(third.authority()).isNotEqualTo(second.authority());
    assertThat(third.admin()).isNotEqualTo(second.admin());
    KeyRotation.remove(keys, KeyRotation.Subject.SERVICE_ACCOUNT_KEY);
    assertThat(Pki.open(keys, InstantSource.system(), List.of()).signingKey().getPublic())
        .isNotEqualTo(third.signingKey().getPublic());
  }
}
