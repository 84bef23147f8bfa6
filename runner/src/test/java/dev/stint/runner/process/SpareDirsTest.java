package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.file.FileTrees;
import dev.stint.runner.process.command.AttemptDir;
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
  void aPodReusesTheDirectoryOfAnother() throws IOException {
    AttemptDir old = made("old", "main");
    old.write("its script");
    assertThat(spares.keep(old)).isTrue();
    assertThat(old.podDir()).as("it is nobody's that has a name").doesNotExist();
    AttemptDir next = AttemptDir.of(pods, "next", "main", 0);
    next.createFrom(spares.take(next).orElseThrow());
    assertThat(next.path().resolve("script")).hasContent("its script");
    assertThat(spares.take(AttemptDir.of(pods, "third", "main", 0))).isEmpty();
  }

  @Test
  void itHasToBeOfAContainerOfThatNameAndOfItsFirstAttempt() throws IOException {
    assertThat(spares.keep(made("old", "main"))).isTrue();
    assertThat(spares.take(AttemptDir.of(pods, "next", "other", 0))).isEmpty();
    assertThat(spares.take(AttemptDir.of(pods, "next", "main", 1))).isEmpty();
    assertThat(spares.take(AttemptDir.of(pods, "next", "main", 0))).isPresent();
  }

  @Test
  void aSpareThatIsGoneIsReplacedByANewDirectory() throws IOException {
    assertThat(spares.keep(made("old", "main"))).isTrue();
    AttemptDir next = AttemptDir.of(pods, "next", "main", 0);
    Path spare = spares.take(next).orElseThrow();
    FileTrees.delete(spare);
    next.createFrom(spare);
    assertThat(next.path()).isEmptyDirectory();
  }

  @Test
  void aDirectoryWithMoreThanItsRecordIsNotKept() throws IOException {
    AttemptDir old = made("old", "main");
    Files.createFile(old.messageFile());
    assertThat(spares.keep(old)).isFalse();
  }

  @Test
  void namesThatDoNotComeAgainGiveTheirPlacesToOthers() throws IOException {
    for (int i = 0; i < SpareDirs.MOST; i++) {
      assertThat(spares.keep(made("a" + i, "a"))).isTrue();
    }
    assertThat(spares.keep(made("more", "a"))).as("nothing is gained").isFalse();
    assertThat(spares.takeSurplus()).isEmpty();

    assertThat(spares.keep(made("b0", "b"))).isTrue();
    assertThat(spares.takeSurplus()).isPresent();
    assertThat(spares.takeSurplus()).isEmpty();
    AttemptDir next = AttemptDir.of(pods, "next", "b", 0);
    assertThat(spares.take(next)).isPresent();
    assertThat(spares.take(next)).isEmpty();
  }

  @Test
  void sparesOfAnEarlierLifeAreRemoved() throws IOException {
    assertThat(spares.keep(made("old", "main"))).isTrue();
    assertThat(new SpareDirs(pods).take(AttemptDir.of(pods, "next", "main", 0))).isEmpty();
    assertThat(spares.take(AttemptDir.of(pods, "next", "main", 0)).orElseThrow()).doesNotExist();
  }

  private AttemptDir made(String uid, String container) throws IOException {
    AttemptDir dir = AttemptDir.of(pods, uid, container, 0);
    dir.create();
    return dir;
  }
}
