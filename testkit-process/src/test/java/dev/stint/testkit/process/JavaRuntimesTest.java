package dev.stint.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaRuntimesTest {
  @TempDir Path directory = Path.of("");

  @Test
  void anOldJavaIsPassedOver() throws IOException {
    Properties properties = new Properties();
    properties.setProperty("java.home", java("old", "17.0.15").toString());
    properties.setProperty("user.home", directory.toString());
    Path recent = java("recent", "25.0.1");
    assertThat(new JavaRuntimes(properties, Map.of("JAVA_HOME", recent.toString())).find())
        .isEqualTo(recent);
  }

  @Test
  void toolchainsAreSearched() throws IOException {
    Path recent = java("recent", "26");
    Files.createDirectories(directory.resolve(".m2"));
    Files.writeString(directory.resolve(".m2/toolchains.xml"), "<jdkHome>" + recent + "</jdkHome>");
    Properties properties = new Properties();
    properties.setProperty("user.home", directory.toString());
    assertThat(new JavaRuntimes(properties, Map.of()).find()).isEqualTo(recent);
  }

  @Test
  void theVersionIsThatOfTheReleaseFile() throws IOException {
    assertThat(JavaRuntimes.version(java("some", "21.0.2"))).isEqualTo(21);
    assertThat(JavaRuntimes.version(directory)).isZero();
  }

  private Path java(String name, String version) throws IOException {
    Path home = Files.createDirectories(directory.resolve(name));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }
}
