package dev.stint.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionCommandTest {
  private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

  @Test
  void aReleaseTellsItsCommitAndDate(@TempDir Path home) throws IOException {
    Files.writeString(
        home.resolve("release"),
        "version=1.2.3\ncommit=" + COMMIT + "\ndate=2026-11-23T12:00:00Z\n");
    Release release = Release.in(home);
    assertThat(VersionCommand.text(release))
        .isEqualTo(
            "stint 1.2.3 (commit 0123456789ab of 2026-11-23T12:00:00Z, Java %s)",
            Runtime.version());
    assertThat(VersionCommand.document(release).toString())
        .contains("\"commit\":\"" + COMMIT + "\"", "\"date\":\"2026-11-23T12:00:00Z\"");
  }

  @Test
  void aBuildFromSourcesTellsNeither(@TempDir Path home) {
    Release sources = Release.in(home);
    assertThat(VersionCommand.text(sources))
        .matches("stint [0-9.]+(-SNAPSHOT)? \\(Java 25.*\\)")
        .doesNotContain("commit");
    assertThat(VersionCommand.document(sources).has("commit")).isFalse();
  }
}
