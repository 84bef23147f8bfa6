package dev.stint.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.audit.AuditFile.Limits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
  @TempDir private Path temp;
  private Instant now = Instant.parse("2026-11-23T10:00:00Z");

  @Test
  void aFullFileGetsItsTimeIntoItsName() throws Exception {
    try (AuditFile file = open(new Limits(100, 0, 0))) {
      for (int i = 0; i < 5; i++) {
        write(file, i, 40);
      }
    }
    assertThat(names())
        .containsExactly(
            "audit-2026-11-23T10-00-00.000.log", "audit-2026-11-23T10-00-00.001.log", "audit.log");
    assertThat(lines()).containsExactly("0", "1", "2", "3", "4");
    for (String name : names()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve(name))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void onlySoManyOldFilesAreKept() throws Exception {
    try (AuditFile file = open(new Limits(100, 2, 0))) {
      for (int i = 0; i < 50; i++) {
        write(file, i, 40);
        now = now.plusSeconds(1);
      }
    }
    assertThat(names()).hasSize(3);
    assertThat(lines()).containsExactly("44", "45", "46", "47", "48", "49");
  }

  @Test
  void oldFilesAreDeletedByTheAgeInTheirNames() throws Exception {
    Files.writeString(temp.resolve("audit-2026-11-10T10-00-00.000.log"), "old");
    Files.writeString(temp.resolve("audit-2026-11-20T10-00-00.000.log"), "newer");
    Files.writeString(temp.resolve("audit-notes.log"), "somebody else's");
    open(new Limits(100, 0, 7)).close();
    assertThat(names())
        .containsExactly("audit-2026-11-20T10-00-00.000.log", "audit-notes.log", "audit.log");
    now = now.plus(Duration.ofDays(30));
    open(new Limits(100, 0, 7)).close();
    assertThat(names()).containsExactly("audit-notes.log", "audit.log");
  }

  @Test
  void anotherStartGoesOnWhereTheLastEnded() throws Exception {
    for (int i = 0; i < 3; i++) {
      try (AuditFile file = open(new Limits(1000, 0, 0))) {
        write(file, i, 40);
      }
    }
    assertThat(lines()).containsExactly("0", "1", "2");
    assertThat(names()).containsExactly("audit.log");
  }

  @Test
  void aFileThatOthersHaveRenamedIsFollowedByANewOne() throws Exception {
    try (AuditFile file = open(new Limits(100, 0, 0))) {
      write(file, 0, 40);
      file.flush();
      Files.move(temp.resolve("audit.log"), temp.resolve("elsewhere"));
      for (int i = 1; i < 4; i++) {
        write(file, i, 40);
      }
    }
    assertThat(Files.readString(temp.resolve("elsewhere"))).contains("0");
    assertThat(Files.readString(temp.resolve("audit.log"))).contains("3");
  }

  @Test
  void aNewFileThatCanNotBeOpenedIsTriedAgain() throws Exception {
    Path away = temp.resolveSibling(temp.getFileName() + "-away");
    try (AuditFile file = open(new Limits(100, 0, 0))) {
      write(file, 0, 80);
      file.flush();
      Files.move(temp, away);
      assertThatThrownBy(() -> write(file, 1, 80)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> write(file, 2, 80)).isInstanceOf(IOException.class);
      Files.move(away, temp);
      write(file, 3, 80);
    }
    assertThat(lines()).containsExactly("0", "3");
  }

  @Test
  void rationedLinesFillAQuarterOfAFileAndNeverRotateIt() throws Exception {
    try (AuditFile file = open(new Limits(1000, 1, 0))) {
      write(file, 1, 100);
      int kept = 0;
      for (int i = 0; i < 1000; i++) {
        kept += file.write(line(2, 50), true) ? 1 : 0;
      }
      assertThat(kept).isEqualTo(5);
      for (int i = 0; i < 6; i++) {
        write(file, 3, 100);
      }
      assertThat(file.write(line(4, 50), true)).isFalse();
      write(file, 3, 100); // rotates
      assertThat(file.write(line(5, 50), true)).isTrue();
    }
    assertThat(lines().stream().filter("2"::equals)).hasSize(5);
    assertThat(lines()).contains("1", "5").doesNotContain("4");
  }

  @Test
  void aLineThatIsLargerThanAFileHasOneOfItsOwn() throws Exception {
    try (AuditFile file = open(new Limits(100, 0, 0))) {
      write(file, 1, 500);
      write(file, 2, 40);
    }
    assertThat(lines()).containsExactly("1", "2");
    assertThat(names()).hasSize(2);
  }

  private AuditFile open(Limits limits) throws IOException {
    return new AuditFile(temp.resolve("audit.log"), limits, () -> now);
  }

  private static void write(AuditFile file, int number, int length) throws IOException {
    assertThat(file.write(line(number, length), false)).isTrue();
  }

  /** Returns a line of a number and spaces. */
  private static byte[] line(int number, int length) {
    String text = Integer.toString(number);
    return (text + " ".repeat(length - text.length() - 1) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String name : names()) {
      Files.readAllLines(temp.resolve(name)).forEach(line -> lines.add(line.strip()));
    }
    return lines;
  }
}
