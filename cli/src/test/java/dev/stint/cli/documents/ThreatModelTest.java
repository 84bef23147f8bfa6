package dev.stint.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The threat model names the tests that show what it says. */
class ThreatModelTest {
  private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z0-9]*Test)`");
  private static final int FEWEST = 50;

  @Test
  void everyTestThatItNamesExists() throws IOException {
    String text = Files.readString(Checkout.ROOT.resolve("docs/threat-model.md"));
    Set<String> named =
        TEST.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toSet());
    assertThat(named).hasSizeGreaterThan(FEWEST);
    assertThat(tests()).containsAll(named);
  }

  @Test
  void everyThreatButOneIsShownByATest() throws IOException {
    String text = Files.readString(Checkout.ROOT.resolve("docs/threat-model.md"));
    Matcher without = Pattern.compile("(?m)^\\|[^|]*\\|[^|]*\\| \\|$").matcher(text);
    assertThat(without.results().map(found -> found.group()))
        .singleElement()
        .asString()
        .contains("build/reproducible");
  }

  private static Set<String> tests() throws IOException {
    Set<String> tests = new TreeSet<>();
    Files.walkFileTree(
        Checkout.ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            String name = String.valueOf(dir.getFileName());
            return name.equals("target") || (name.startsWith(".") && !dir.equals(Checkout.ROOT))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            if (name.endsWith("Test.java")) {
              tests.add(name.substring(0, name.length() - ".java".length()));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return tests;
  }
}
