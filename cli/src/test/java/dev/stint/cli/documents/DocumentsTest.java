package dev.stint.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.cli.documents.Document.Block;
import dev.stint.cli.documents.Document.Step;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Documents are run by copy and paste. Each has its own directory and shell, which runs its {@code
 * sh} blocks in order. They must succeed, or end as a comment says: {@code # exit status 1}. If a
 * {@code text} block follows, the commands must print its lines ({@link DocumentedOutput}). A block
 * whose first line is {@code # file: NAME} is written to that file. A block that cannot be run has
 * a comment with the reason before it.
 *
 * <p>It is slow because every command of every document runs in its own process.
 */
@Order(1)
class DocumentsTest {
  private static final Path ROOT = Checkout.ROOT;
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final List<String> LANGUAGES =
      List.of("sh", "text", "yaml", "java", "xml", "json", "mermaid");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

  /** Half of the time is waiting, so twice as many run at a time as a CI machine has cores. */
  private static final int AT_A_TIME = 4;

  @TempDir private static Path directory;
  private static ExecutorService walkers;

  @BeforeAll
  static void begin() {
    walkers = Executors.newFixedThreadPool(AT_A_TIME);
  }

  @AfterAll
  static void end() {
    walkers.close();
  }

  @TestFactory
  Stream<DynamicTest> everyCommandBlockHasTheDocumentedResult() throws IOException {
    Checkout checkout = new Checkout(directory.toRealPath());
    List<Path> walked = documents().filter(DocumentsTest::hasSteps).toList();
    assertThat(walked).contains(ROOT.resolve("README.md")).hasSizeGreaterThan(10);
    List<Future<?>> walks =
        walked.stream().<Future<?>>map(file -> walkers.submit(walk(checkout, file))).toList();
    return Stream.iterate(0, at -> at < walked.size(), at -> at + 1)
        .map(at -> DynamicTest.dynamicTest(name(walked.get(at)), () -> joined(walks.get(at))));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyBlockHasALanguageAndAReasonIfItIsNotRun(Path file) throws IOException {
    List<Block> blocks = Document.read(file).blocks();
    assertThat(blocks.stream().filter(block -> !LANGUAGES.contains(block.language())))
        .as("blocks without a language, or with one of none of %s", LANGUAGES)
        .isEmpty();
    assertThat(blocks.stream().filter(block -> block.notRun().equals(Optional.of(""))))
        .as("blocks that are not run, for no reason")
        .isEmpty();
    assertThat(Files.readAllLines(file))
        .as("commands stand in fenced blocks")
        .noneMatch(line -> line.matches(" {4}(\\$ .*|(\\./stint|stint|mvn|kubectl) .*)"));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void linksLeadToExistingFiles(Path file) throws IOException {
    assertThat(LINK.matcher(Files.readString(file)).results().map(link -> link.group(1)))
        .allSatisfy(link -> assertThat(file.resolveSibling(link)).exists());
  }

  @Test
  void readmeBeginsWithTheTwoCommandsThatMatter() throws IOException {
    List<Block> blocks = Document.read(ROOT.resolve("README.md")).blocks();
    assertThat(blocks.stream().limit(2).flatMap(block -> block.lines().stream()))
        .containsExactly("./stint run examples/hello.yaml", "mvn -B verify");
  }

  @Test
  void everyGuideIsInTheIndex() throws IOException {
    Path guides = ROOT.resolve("docs/guides");
    String index = Files.readString(guides.resolve("README.md"));
    List<String> linked = LINK.matcher(index).results().map(link -> link.group(1)).toList();
    try (Stream<Path> files = Files.list(guides)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .allMatch(name -> name.equals("README.md") || linked.contains(name));
    }
  }

  private static Stream<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      List<Path> found =
          docs.filter(file -> file.toString().endsWith(".md"))
              .filter(file -> !file.endsWith("commands.md")) // Written by CommandReferenceTest.
              .sorted()
              .toList();
      return Stream.concat(
          Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")), found.stream());
    }
  }

  private static boolean hasSteps(Path file) {
    try {
      return !Document.read(file).steps().isEmpty();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static Callable<Void> walk(Checkout checkout, Path file) {
    return () -> {
      Path scratch = checkout.make(name(file).replace('/', '-'));
      try (ShellSession shell = new ShellSession(scratch, Checkout.environment(scratch))) {
        for (Step step : Document.read(file).steps()) {
          switch (step) {
            case Step.Write write -> Files.writeString(scratch.resolve(write.file()), write.text());
            case Step.Run run -> carryOut(run, shell, file);
          }
        }
      }
      return null;
    };
  }

  private static void carryOut(Step.Run run, ShellSession shell, Path file) throws Exception {
    assumeTrue(!run.needs("kubectl") || installed("kubectl"), "there is no kubectl here");
    ShellSession.Outcome outcome = shell.run(run.commands(), run.status() != 0);
    String where = "%s:%d: %s".formatted(name(file), run.line(), run.commands());
    assertThat(outcome.status())
        .as(() -> where + "it printed: " + printed(shell, outcome))
        .isEqualTo(run.status());
    if (run.leavesSomething()) {
      await()
          .atMost(TIMEOUT)
          .untilAsserted(() -> {
            String soFar = printed(shell, outcome);
            assertThat(DocumentedOutput.missing(run.shown(), soFar))
                .as("%sit printed: %s", where, soFar)
                .isEmpty();
          });
    }
    String printed = printed(shell, outcome);
    assertThat(DocumentedOutput.missing(run.shown(), printed))
        .as("%sit printed: %s", where, printed)
        .isEmpty();
  }

  private static String printed(ShellSession shell, ShellSession.Outcome outcome) {
    try {
      return shell.printed(outcome.output());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static void joined(Future<?> walk) throws Throwable {
    try {
      walk.get();
    } catch (ExecutionException fault) {
      throw fault.getCause();
    }
  }

  private static boolean installed(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  private static String name(Path file) {
    return ROOT.relativize(file).toString();
  }
}
