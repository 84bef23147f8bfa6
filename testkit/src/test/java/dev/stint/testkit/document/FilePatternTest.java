package dev.stint.testkit.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePatternTest {
  @TempDir Path dir;

  @Test
  void filesOnTheClassPathComeFirst() throws IOException {
    write("classes/crds/b.yaml");
    write("classes/crds/a.yaml");
    write("classes/crds/a.txt");
    write("classes/crds/deep/c.yaml");
    assertThat(found("crds/*.yaml")).containsExactly("crds/a.yaml", "crds/b.yaml");
    assertThat(found("crds/**/*.yaml"))
        .containsExactly("crds/a.yaml", "crds/b.yaml", "crds/deep/c.yaml");
    assertThat(found("classpath:crds/a.txt")).containsExactly("crds/a.txt");
    assertThat(found("**/c.yaml")).containsExactly("crds/deep/c.yaml");
  }

  @Test
  void jarsAreOnTheClassPath() throws IOException {
    writeJar();
    try (URLClassLoader loader = loader("library.jar")) {
      assertThat(new FilePattern("crds/*.yaml").find(loader))
          .containsExactly(new FoundFile("crds/in-jar.yaml", "kind: A"));
      assertThat(new FilePattern("crds/**/*.yaml").find(loader))
          .extracting(FoundFile::name)
          .containsExactly("crds/deep/b.yaml", "crds/in-jar.yaml");
    }
  }

  private Path writeJar() throws IOException {
    Path library = dir.resolve("library.jar");
    try (OutputStream file = Files.newOutputStream(library);
        JarOutputStream jar = new JarOutputStream(file)) {
      for (String directory : List.of("crds/", "crds/deep/", "crds/dir.yaml/")) {
        jar.putNextEntry(new JarEntry(directory));
      }
      for (String name : List.of("crds/in-jar.yaml", "crds/deep/b.yaml", "crds-2/a.yaml")) {
        jar.putNextEntry(new JarEntry(name));
        jar.write("kind: A".getBytes(StandardCharsets.UTF_8));
      }
    }
    return library;
  }

  /** The runtime of a release has only the modules that Stint needs, so no file system of jars. */
  @Test
  void jarsAreReadByTheRuntimeOfARelease() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                "java.base",
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator + writeJar(),
                SmallRuntime.class.getName(),
                "classpath:crds/deep/*.yaml")
            .redirectErrorStream(true)
            .start();
    try (InputStream output = process.getInputStream()) {
      assertThat(output).asString(StandardCharsets.UTF_8).isEqualTo("[crds/deep/b.yaml]");
    }
    assertThat(process.waitFor()).isZero();
  }

  /** A program that prints the names of the files that match its argument. */
  static final class SmallRuntime {
    private SmallRuntime() {}

    public static void main(String[] patterns) throws IOException {
      List<FoundFile> found =
          new FilePattern(patterns[0]).find(SmallRuntime.class.getClassLoader());
      System.out.print(found.stream().map(FoundFile::name).toList());
    }
  }

  @Test
  void filesInTheFileSystemAreFoundIfNoneAreOnTheClassPath() throws IOException {
    Path file = write("config/bases/a.yaml");
    assertThat(found(dir + "/config/*/*.yaml")).containsExactly(file.toString());
    assertThat(found("file:" + file)).containsExactly(file.toString());
  }

  @Test
  void aPatternWithoutFilesIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> found("file:" + dir + "/none/*.yaml"))
        .withMessageStartingWith("no file matches \"file:");
    assertThatIllegalArgumentException().isThrownBy(() -> found("classpath:none.yaml"));
  }

  private List<String> found(String pattern) throws IOException {
    Files.createDirectories(dir.resolve("classes")); // A URL of a directory ends with a slash.
    try (URLClassLoader loader = loader("classes")) {
      return new FilePattern(pattern).find(loader).stream().map(FoundFile::name).toList();
    }
  }

  private URLClassLoader loader(String name) throws IOException {
    return new URLClassLoader(new URL[] {dir.resolve(name).toUri().toURL()}, null);
  }

  private Path write(String name) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "kind: A");
  }
}
