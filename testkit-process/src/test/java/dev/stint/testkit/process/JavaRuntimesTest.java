package dev.stint.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaRuntimesTest {
  @TempDir Path directory = Path.of("");
  private final Properties properties = new Properties();

  @BeforeEach
  void placeUser() throws IOException {
    properties.setProperty("user.home", directory.resolve("home").toString());
    properties.setProperty("java.home", java("old", "17.0.15").toString());
  }

  @Test
  void anOldJavaIsPassedOver() throws IOException {
    Path recent = java("recent", "25.0.1");
    assertThat(find(Map.of("JAVA_HOME", recent.toString()))).isEqualTo(recent);
  }

  @Test
  void toolchainsAreSearched() throws IOException {
    Path recent = java("recent", "26");
    Files.createDirectories(directory.resolve("home/.m2"));
    Files.writeString(
        directory.resolve("home/.m2/toolchains.xml"), "<jdkHome>" + recent + "</jdkHome>");
    assertThat(find(Map.of())).isEqualTo(recent);
  }

  @Test
  void placesOfTheSystemAreSearched() throws IOException {
    Path recent = java("usr/lib/jvm/recent", "25");
    java("usr/lib/jvm/a", "21");
    assertThat(find(Map.of())).isEqualTo(recent);
  }

  @Test
  void theRuntimeOfAReleaseIsOne() throws IOException {
    Path runtime = java("opt/stint/runtime", "25.0.3");
    java("usr/lib/jvm/recent", "25");
    assertThat(find(Map.of())).isEqualTo(runtime);
  }

  @Test
  void theMessageSaysWhereNoneWasFound() throws IOException {
    java("usr/lib/jvm/a", "21");
    assertThatThrownBy(() -> find(Map.of("JAVA_HOME", directory + "/usr/lib/jvm/a")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("no Java 25 or later found in: ")
        .hasMessageContaining("STINT_JAVA_HOME (not set)")
        .hasMessageContaining("this test's JVM (" + directory + "/old)")
        .hasMessageContaining("JAVA_HOME (" + directory + "/usr/lib/jvm/a)")
        .hasMessageContaining(directory + "/home/.m2/toolchains.xml")
        .hasMessageEndingWith(
            directory + "/usr/lib/jvm; install a JDK 25, or set STINT_JAVA_HOME to one");
  }

  /** No path has a NUL, on no system. */
  @Test
  void textsThatAreNoPathsArePassedOver() throws IOException {
    Path recent = java("usr/lib/jvm/recent", "25");
    Files.createDirectories(directory.resolve("home/.m2"));
    Files.writeString(directory.resolve("home/.m2/toolchains.xml"), "<jdkHome>a\0b</jdkHome>");
    assertThat(find(Map.of("JAVA_HOME", "a\0b", "PATH", "a\0b"))).isEqualTo(recent);
  }

  @Test
  void theMessageNamesTextsThatAreNoPaths() {
    assertThatThrownBy(() -> find(Map.of("PATH", "a\0b")))
        .hasMessageContaining(", a\0b (not a path), ");
  }

  @Test
  void theVersionIsThatOfTheReleaseFile() throws IOException {
    assertThat(JavaRuntimes.version(java("some", "21.0.2"))).isEqualTo(21);
    assertThat(JavaRuntimes.version(directory)).isZero();
  }

  private Path find(Map<String, String> environment) {
    return new JavaRuntimes(properties, environment, directory).find();
  }

  private Path java(String name, String version) throws IOException {
    Path home = Files.createDirectories(directory.resolve(name));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }
}
