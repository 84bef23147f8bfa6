package dev.stint.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A simple name of a type has one meaning in all modules (CONTRIBUTING.md). */
class TypeNamesTest {
  private static final int FEWEST = 1000;

  /** Names that each module has for the same thing. */
  private static final Set<String> IN_EACH_MODULE = Set.of("package-info");

  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|record|enum|interface)\\s+(\\w+)");

  @Test
  void noTypeIsNamedAsOneOfAnotherModule() throws IOException {
    Map<String, Set<String>> modules = new TreeMap<>();
    for (Path source : sources()) {
      String name = source.getFileName().toString().replace(".java", "");
      modules.computeIfAbsent(name, _ -> new TreeSet<>()).add(source.getName(0).toString());
    }
    modules.keySet().removeAll(IN_EACH_MODULE);
    assertThat(modules).hasSizeGreaterThan(FEWEST);
    modules.values().removeIf(found -> found.size() == 1);
    assertThat(modules).as("names of types in several modules").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Claim", "Decision", "Ledger", "Plan", "Term", "Verdict"})
  void aWordOfTheGlossaryNamesOneType(String word) throws IOException {
    List<Path> declaring = sources().stream().filter(source -> declares(source, word)).toList();
    assertThat(declaring).singleElement().asString().endsWith(word + ".java");
  }

  private static boolean declares(Path source, String word) {
    try {
      return DECLARED
          .matcher(Files.readString(Checkout.ROOT.resolve(source)))
          .results()
          .anyMatch(found -> found.group(1).equals(word));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns the sources of all modules, relative to the root. */
  private static List<Path> sources() throws IOException {
    try (Stream<Path> modules = Files.list(Checkout.ROOT)) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .flatMap(TypeNamesTest::below)
          .map(Checkout.ROOT::relativize)
          .toList();
    }
  }

  private static Stream<Path> below(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
