package dev.stint.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The launchers of a release and of its container image, with a Java that only tells its words. */
class ReleaseLauncherTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path LOCALE = Path.of("/usr/lib/locale/C.utf8");
  private static final String JAVA =
      """
      #!/bin/sh
      echo "LC_ALL=${LC_ALL-none} STINT_LC_ALL=${STINT_LC_ALL-none}" "$@"
      """;

  @TempDir private Path directory;
  private Path home = Path.of("");

  @BeforeEach
  void copyTheRelease() throws IOException {
    directory = directory.toRealPath();
    home = directory.resolve("release");
    copy(ROOT.resolve("build/packaging/stint"), home.resolve("bin/stint"));
    copy(Path.of("src/main/launcher/options.sh"), home.resolve("lib/options.sh"));
    Path java = Files.writeString(parent(home.resolve("runtime/bin/java")), JAVA);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "elsewhere"})
  void aRelativePathIsNotSearchedForInDirectoriesOfTheUser(String searched) throws Exception {
    Files.createDirectories(directory.resolve("elsewhere/release/bin"));
    assertThat(
            call(
                Map.of("CDPATH", directory.resolve(searched).toString()),
                "sh",
                "-c",
                "release/bin/stint version"))
        .contains(" -Dstint.home=" + home + " ")
        .endsWith(" dev.stint.cli.Main version");
  }

  @Test
  void saysThatTheDirectoryWasRemoved() throws Exception {
    Files.createDirectory(directory.resolve("gone"));
    String script =
        "cd gone && rmdir ../gone && '%s' version; echo $?".formatted(home.resolve("bin/stint"));
    assertThat(call(Map.of(), "sh", "-c", script))
        .endsWith("stint: the current directory was removed; change to another one\n2");
  }

  /** Java would take the path of its jar for two. */
  @Test
  void saysThatItCannotStartBelowADirectoryWithAColon() throws Exception {
    Path named = Files.move(home, directory.resolve("stint:1.2"));
    String script = "'%s' version; echo $?".formatted(named.resolve("bin/stint"));
    assertThat(call(Map.of(), "sh", "-c", script))
        .isEqualTo(
            "stint: Java cannot start from %s, since the path has a colon; move the release to another directory\n2"
                .formatted(named));
  }

  @ParameterizedTest
  @CsvSource({
    "STINT_JAVA_OPTS, -XX:+UseZGC, -XX:+UseZGC",
    "STINT_JAVA_OPTS, -XX:-UseZGC, -XX:+UseSerialGC -XX:-UseZGC",
    "JAVA_TOOL_OPTIONS, -XX:+UseG1GC, ''",
    "JDK_JAVA_OPTIONS, -Xmx1g -XX:+UseParallelGC, ''",
    "_JAVA_OPTIONS, -XX:+UseSerialGC, ''",
    "_JAVA_OPTIONS, -XX:+UseGCOverheadLimit, -XX:+UseSerialGC",
  })
  void theImageLeavesTheCollectorToAUserWhoChoosesOne(
      String variable, String chosen, String collectors) throws Exception {
    String words = call(Map.of(variable, chosen), image(), "up");
    assertThat(words.split(" "))
        .contains("-Dof=up")
        .filteredOn(word -> word.endsWith("GC"))
        .containsExactly(collectors.isEmpty() ? new String[0] : collectors.split(" "));
  }

  @ParameterizedTest
  @CsvSource({"-v run a, run", "run -v, run", "-v --verbose up, up", "-v, ''", "ls up, ''"})
  void theImagesCommandHasItsOptionsAfterFlags(String words, String command) throws Exception {
    assertThat(call(Map.of(), "sh", "-c", image() + " " + words))
        .contains(" -Dof=" + command + " ")
        .endsWith(" dev.stint.cli.Main " + words);
  }

  /** The locales are those for which options.sh does the same. */
  @ParameterizedTest
  @CsvSource({
    "'', '', '', true",
    "C, '', de_DE.ISO-8859-1, true",
    "'', POSIX, de_DE.ISO-8859-1, true",
    "'', '', en_US.UTF-8, true",
    "'', '', en_US.utf8, true",
    "'', '', de_DE@euro, false",
    "'', de_DE.ISO-8859-1, C, false",
    "de_DE.ISO-8859-1, '', '', false"
  })
  void theImageReadsUtf8UnlessTheCallerHasOtherCharacters(
      String all, String characters, String other, boolean chosen) throws Exception {
    assumeTrue(Files.isDirectory(LOCALE), "NOT TESTED: no locale C.UTF-8");
    Map<String, String> locale =
        Map.of("LC_ALL", all, "LC_CTYPE", characters, "LANG", other, "STINT_LC_ALL", "outer");
    assertThat(call(locale, image(), "version"))
        .startsWith(
            chosen
                ? "LC_ALL=C.UTF-8 STINT_LC_ALL=" + all + " "
                : "LC_ALL=" + all + " STINT_LC_ALL=none ");
  }

  @Test
  void theImageHasTheLocaleThatItsLauncherLooksFor() throws IOException {
    assertThat(Files.readString(ROOT.resolve("build/packaging/image.sh")))
        .contains("for part in $(needed_libraries) " + LOCALE + ";");
  }

  /** Compiles the launcher of the image, and returns its path. */
  private String image() throws Exception {
    Path compiler = Path.of("/usr/bin/cc");
    assumeTrue(Files.isExecutable(compiler), "NOT TESTED: no C compiler");
    Files.writeString(
        directory.resolve("options.h"),
        "\"run\\t-Dof=run\\n\" \"up\\t-XX:+UseSerialGC -Dof=up\\n\" \"\\t-Dof=\\n\"\n");
    Path program = directory.resolve("image");
    String compiled =
        call(
            Map.of(),
            compiler.toString(),
            "-std=gnu11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-I" + directory,
            "-DHOME=\"" + home + "\"",
            "-o",
            program.toString(),
            ROOT.resolve("build/packaging/image/stint.c").toString());
    assertThat(compiled).isEmpty();
    return program.toString();
  }

  private String call(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, parent(to));
  }

  private static Path parent(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    return file;
  }
}
