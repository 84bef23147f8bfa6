package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpareDirsTest {
  @TempDir private Path root;
  private SpareDirs spares;

  @BeforeEach
  void open() throws IOException {
    spares = new SpareDirs(root.resolve("spare"));
  }

  @Test
  void whatIsKeptIsTakenOnce() throws IOException {
    Path old = made("old");
    assertThat(spares.keep("main", old, _ -> true)).isTrue();
    assertThat(old).doesNotExist();
    Path next = root.resolve("next");
    assertThat(spares.take("main", next)).isTrue();
    assertThat(next.resolve("file")).hasContent("of old");
    assertThat(spares.take("main", root.resolve("third"))).isFalse();
  }

  @Test
  void itIsTakenByThoseWithAContainerOfTheSameName() throws IOException {
    assertThat(spares.keep("main", made("old"), _ -> true)).isTrue();
    assertThat(spares.take("other", root.resolve("next"))).isFalse();
    assertThat(spares.take("main", root.resolve("next"))).isTrue();
  }

  @Test
  void whatDoesNotFitIsWhereItWas() throws IOException {
    Path old = made("old");
    assertThat(spares.keep("main", old, spare -> !Files.exists(spare.resolve("file")))).isFalse();
    assertThat(old.resolve("file")).hasContent("of old");
    assertThat(spares.take("main", root.resolve("next"))).isFalse();
  }

  @Test
  void theDirectoryAboveIsMadeWhereThereIsNone() throws IOException {
    assertThat(spares.keep("main", made("old"), _ -> true)).isTrue();
    Path next = root.resolve("first/of/all");
    assertThat(spares.take("main", next)).isTrue();
    assertThat(next.resolve("file")).exists();
  }

  @Test
  void whatIsThereIsNotReplacedAndTheSpareOneStays() throws IOException {
    assertThat(spares.keep("main", made("old"), _ -> true)).isTrue();
    Path there = made("there");
    assertThat(spares.take("main", there)).isFalse();
    assertThat(there.resolve("file")).hasContent("of there");
    assertThat(spares.take("main", root.resolve("next"))).isTrue();
  }

  @Test
  void oneThatIsLostIsNotAskedForAgain() throws IOException {
    assertThat(spares.keep("main", made("old"), _ -> true)).isTrue();
    assertThat(spares.keep("main", made("lost"), _ -> true)).isTrue();
    Directories.delete(root.resolve("spare/2"));
    assertThat(spares.take("main", root.resolve("next"))).isFalse();
    assertThat(spares.take("main", root.resolve("next"))).isTrue();
  }

  @Test
  void noMoreAreKeptThanAreOfUse() throws IOException {
    for (int each = 0; each < 256; each++) {
      assertThat(spares.keep("main", made("old"), _ -> true)).isTrue();
    }
    assertThat(spares.keep("main", made("old"), _ -> true)).isFalse();
    assertThat(spares.take("main", root.resolve("next"))).isTrue();
    assertThat(spares.keep("main", root.resolve("old"), _ -> true)).isTrue();
  }

  @Test
  void whatAnEarlierLifeKeptGoes() throws IOException {
    assertThat(spares.keep("main", made("old"), _ -> true)).isTrue();
    SpareDirs later = new SpareDirs(root.resolve("spare"));
    assertThat(later.take("main", root.resolve("next"))).isFalse();
    assertThat(root.resolve("spare")).isEmptyDirectory();
  }

  private Path made(String name) throws IOException {
    Path dir = Files.createDirectories(root.resolve(name));
    Files.writeString(dir.resolve("file"), "of " + name);
    return dir;
  }
}
