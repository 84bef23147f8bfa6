package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpareDirsTest {
  @TempDir private Path pods;
  private SpareDirs spares;

  @BeforeEach
  void open() throws IOException {
    spares = new SpareDirs(pods);
  }

  @Test
  void aPodTakesWhatAnotherHasLeft() throws IOException {
    AttemptDir old = made("old", "main");
    old.write("its script");
    assertThat(spares.keep(old)).isTrue();
    assertThat(old.podDir()).as("it is nobody's that has a name").doesNotExist();
    AttemptDir next = AttemptDir.of(pods, "next", "main", 0);
    assertThat(spares.take(next)).isTrue();
    assertThat(next.path().resolve("script")).hasContent("its script");
    assertThat(spares.take(AttemptDir.of(pods, "third", "main", 0))).isFalse();
  }

  @Test
  void itHasToBeOfAContainerOfThatNameAndOfItsFirstAttempt() throws IOException {
    assertThat(spares.keep(made("old", "main"))).isTrue();
    assertThat(spares.take(AttemptDir.of(pods, "next", "other", 0))).isFalse();
    assertThat(spares.take(AttemptDir.of(pods, "next", "main", 1))).isFalse();
    assertThat(spares.take(AttemptDir.of(pods, "next", "main", 0))).isTrue();
  }

  @Test
  void whatHasMoreThanItsRecordIsNotKept() throws IOException {
    AttemptDir old = made("old", "main");
    Files.createFile(old.messageFile());
    assertThat(spares.keep(old)).isFalse();
  }

  @Test
  void whatAnEarlierLifeKeptGoes() throws IOException {
    assertThat(spares.keep(made("old", "main"))).isTrue();
    assertThat(new SpareDirs(pods).take(AttemptDir.of(pods, "next", "main", 0))).isFalse();
    assertThat(spares.take(AttemptDir.of(pods, "next", "main", 0))).as("nor there").isFalse();
  }

  private AttemptDir made(String uid, String container) throws IOException {
    AttemptDir dir = AttemptDir.of(pods, uid, container, 0);
    dir.create();
    return dir;
  }
}
