package dev.stint.dependencies;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksumsTest {
  @TempDir Path dir;

  @Test
  void aListThatWasWrittenAgreesWithItsJars() throws IOException {
    Path list = dir.resolve("list");
    Checksums actual = Checksums.of(List.of(jar("b-1.jar", "b"), jar("a-1.jar", "a")));
    Files.writeString(list, actual.text());
    assertThat(actual.text())
        .startsWith("ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a-1.jar\n");
    assertThat(Checksums.read(list).differences(actual)).isEmpty();
  }

  @Test
  void aChangedJarANewJarAndAMissingJarAreNamed() throws IOException {
    Checksums recorded = Checksums.of(List.of(jar("a-1.jar", "a"), jar("old-1.jar", "o")));
    Checksums actual = Checksums.of(List.of(jar("a-1.jar", "changed"), jar("new-1.jar", "n")));
    assertThat(recorded.differences(actual))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("a-1.jar: expected SHA-256 ca978112"))
        .contains("new-1.jar: not listed")
        .contains("old-1.jar: listed, but not a dependency any more");
  }

  @Test
  void aPartOfTheListIsCheckedAlone() throws IOException {
    Checksums recorded = Checksums.of(List.of(jar("a-1.jar", "a"), jar("b-1.jar", "b")));
    Checksums some = Checksums.of(List.of(jar("a-1.jar", "a")));
    assertThat(recorded.only(some).differences(some)).isEmpty();
    Checksums others = Checksums.of(List.of(jar("a-1.jar", "changed"), jar("new-1.jar", "n")));
    assertThat(recorded.only(others).differences(others)).hasSize(2);
  }

  @Test
  void anAbsentListIsEmpty() throws IOException {
    assertThat(Checksums.read(dir.resolve("absent")).sums()).isEmpty();
  }

  @Test
  void onlyThirdPartyJarsAreChecked() {
    assertThat(
            CheckDependencies.thirdPartyJars(
                String.join(
                    System.getProperty("path.separator"),
                    "/x/engine/target/classes",
                    "/x/target/stint-model-0.1.0.jar",
                    "/m2/jetty-io-12.jar")))
        .containsExactly(Path.of("/m2/jetty-io-12.jar"));
  }

  private Path jar(String name, String content) throws IOException {
    return Files.writeString(dir.resolve(name), content);
  }
}
