package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.runner.container.daemon.ImageRef;
import dev.stint.runner.container.daemon.LocalImage;
import dev.stint.runner.container.daemon.PullSecrets.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PulledImagesTest {
  private static final ImageRef NAME = ImageRef.parse("r.example/a/app:1").orElseThrow();
  private static final ImageRef OTHER_NAME = ImageRef.parse("r.example/b/app:1").orElseThrow();
  private static final LocalImage IMAGE = new LocalImage("a@sha256:1", "sha256:1", "", "", 0);
  private static final Credentials OWN = credentials("a", "password-a");

  @TempDir Path dir;

  @Test
  void anImageThatWasThereBeforeIsForAllPods() throws Exception {
    assertThat(open().mayUse(IMAGE, NAME, List.of())).isTrue();
    assertThat(open().mayUse(IMAGE, NAME, List.of(OWN))).isTrue();
  }

  @Test
  void anImageThatWasPulledWithCredentialsIsForPodsThatHaveThem() throws Exception {
    pull(open(), OWN);
    PulledImages nextLife = open();
    for (ImageRef name : List.of(NAME, OTHER_NAME)) {
      assertThat(nextLife.mayUse(IMAGE, name, List.of())).isFalse();
      assertThat(nextLife.mayUse(IMAGE, name, List.of(credentials("b", "password-b")))).isFalse();
      assertThat(nextLife.mayUse(IMAGE, name, List.of(OWN))).isTrue();
    }
    assertThat(nextLife.mayUse(IMAGE, NAME, List.of(credentials("b", "password-a")))).isTrue();
    assertThat(nextLife.mayUse(IMAGE, NAME, List.of(credentials("a", "renewed")))).isTrue();
  }

  @Test
  void secretsWithoutAUidAreNotTheSame() throws Exception {
    pull(open(), new Credentials("user", "one", "r.example", ""));
    Credentials other = new Credentials("user", "two", "r.example", "");
    assertThat(open().mayUse(IMAGE, NAME, List.of(other))).isFalse();
  }

  @Test
  void anImageThatWasPulledWithoutCredentialsIsForAllPods() throws Exception {
    PulledImages images = open();
    pull(images, OWN);
    pull(images, null);
    pull(images, OWN);
    assertThat(images.mayUse(IMAGE, NAME, List.of())).isTrue();
    assertThat(open().mayUse(IMAGE, NAME, List.of())).isTrue();
  }

  @Test
  void thePasswordsAreNotInTheFile() throws Exception {
    pull(open(), OWN);
    Path file = dir.resolve("pulled-images");
    assertThat(Files.readString(file)).contains("sha256:1", "ns/a/uid").doesNotContain("password");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  /** The directory may be full while the daemon's disk has room for the image. */
  @Test
  void aPullThatCannotBeRecordedDoesNotBeginOnTheNextTryEither() throws Exception {
    Path file = dir.resolve("no-such-directory").resolve("pulled-images");
    PulledImages images = PulledImages.open(file, new Random(1));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> images.begin(NAME)).isInstanceOf(IOException.class);
      images.onCutOff(NAME);
    }
    Files.createDirectory(dir.resolve("no-such-directory"));
    images.begin(NAME);
    PulledImages nextLife = PulledImages.open(file, new Random(1));
    assertThat(nextLife.mayUse(IMAGE, NAME, List.of())).isFalse();
  }

  /** A crash just after a pull must not make the image one that was there before. */
  @Test
  void anImageWhosePullDidNotEndForSureIsPulledByEachPod() throws Exception {
    open().begin(NAME);
    PulledImages nextLife = open();
    assertThat(nextLife.mayUse(IMAGE, NAME, List.of(OWN))).isFalse();
    assertThat(nextLife.mayUse(IMAGE, OTHER_NAME, List.of())).isTrue();
    nextLife.begin(NAME);
    nextLife.onFailure(NAME);
    assertThat(nextLife.mayUse(IMAGE, NAME, List.of())).isFalse();
    pull(nextLife, OWN);
    assertThat(nextLife.mayUse(IMAGE, NAME, List.of(OWN))).isTrue();
    nextLife.begin(NAME);
    nextLife.onCutOff(NAME);
    assertThat(open().mayUse(new LocalImage("", "sha256:2", "", "", 0), NAME, List.of())).isFalse();
  }

  @Test
  void aPullThatFailedChangesNothing() throws Exception {
    PulledImages images = open();
    images.begin(NAME);
    images.begin(NAME);
    images.onFailure(NAME);
    assertThat(images.mayUse(IMAGE, NAME, List.of())).isFalse();
    images.onFailure(NAME);
    assertThat(images.mayUse(IMAGE, NAME, List.of())).isTrue();
    assertThat(open().mayUse(IMAGE, NAME, List.of())).isTrue();
  }

  @Test
  void theOldestOfTooManyCredentialsAreForgotten() throws Exception {
    PulledImages images = open();
    for (int i = 0; i <= PulledImages.MOST_CREDENTIALS; i++) {
      pull(images, credentials("s" + i, "p" + i));
    }
    assertThat(images.mayUse(IMAGE, NAME, List.of(credentials("s0", "p0")))).isFalse();
    assertThat(images.mayUse(IMAGE, NAME, List.of(credentials("s1", "p1")))).isTrue();
  }

  @Test
  void aDamagedFileIsNamed() throws Exception {
    Files.writeString(dir.resolve("pulled-images"), "{");
    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(dir.resolve("pulled-images") + " is damaged: remove it");
  }

  private static void pull(PulledImages images, @Nullable Credentials credentials)
      throws IOException {
    if (credentials == null) {
      images.onPulled(IMAGE);
    } else {
      images.begin(NAME);
      images.onPulled(NAME, IMAGE, credentials);
    }
  }

  private PulledImages open() throws IOException {
    return PulledImages.open(dir.resolve("pulled-images"), new Random(1));
  }

  private static Credentials credentials(String secret, String password) {
    return new Credentials("user", password, "r.example", "ns/" + secret + "/uid");
  }
}
