package dev.stint.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A format that an external program checks and applies. If the program is not installed, or has
 * another version, nothing is checked and a warning is printed, since the build needs only a JDK
 * and Maven.
 *
 * @param name the name of the program, and what it formats
 * @param covers selects the files that it formats
 * @param command the command that runs the program
 * @param version a pattern that the output of {@code --version} must contain
 * @param installation how to install it
 * @param check the arguments that make it print the files that differ
 * @param apply the arguments that make it rewrite the files that differ
 */
record ProgramFormat(
    String name,
    Predicate<Path> covers,
    List<String> command,
    Pattern version,
    String installation,
    List<String> check,
    List<String> apply)
    implements SourceFormat {

  private static final String PRETTIER = "build/format/node_modules/prettier/bin/prettier.cjs";
  private static final Path PACKAGE = Path.of("build/format/package.json");
  private static final Pattern SHEBANG = Pattern.compile("#!.*\\b(ba|da)?sh\\s");

  /**
   * Returns all formats of external programs. The working directory is the root of the repository.
   */
  static List<SourceFormat> all() {
    return List.of(prettier(), clangFormat(), shfmt(), shellcheck());
  }

  private static ProgramFormat prettier() {
    return new ProgramFormat(
        "prettier (JavaScript, CSS, YAML, Markdown)",
        file -> file.toString().matches(".*\\.(js|mjs|css|yaml|yml|md)"),
        List.of("node", PRETTIER),
        prettierVersion(),
        "npm ci --prefix build/format",
        List.of("--list-different"),
        List.of("--log-level=warn", "--write"));
  }

  /** Requires one version, as other versions of clang-format break lines at other places. */
  private static ProgramFormat clangFormat() {
    return new ProgramFormat(
        "clang-format 14 (C)",
        file -> file.toString().matches(".*\\.[ch]"),
        List.of("clang-format"),
        Pattern.compile("version 14\\."),
        "apt-get install clang-format",
        List.of("--dry-run", "--Werror"),
        List.of("-i"));
  }

  private static ProgramFormat shfmt() {
    return new ProgramFormat(
        "shfmt 3 (shell scripts)",
        ProgramFormat::isShellScript,
        List.of("shfmt", "--indent=2", "--case-indent"),
        Pattern.compile("^v?3\\."),
        "apt-get install shfmt",
        List.of("--diff"),
        List.of("--write"));
  }

  /** Only finds faults: it cannot fix them. */
  private static ProgramFormat shellcheck() {
    List<String> arguments = List.of("--format=gcc");
    return new ProgramFormat(
        "shellcheck (shell scripts)",
        ProgramFormat::isShellScript,
        List.of("shellcheck"),
        Pattern.compile("version: 0\\."),
        "apt-get install shellcheck",
        arguments,
        arguments);
  }

  /** Returns a pattern for the version in the lock file. */
  private static Pattern prettierVersion() {
    Matcher version = Pattern.compile("\"prettier\": \"(.*)\"").matcher(beginning(PACKAGE, 1000));
    if (!version.find()) {
      throw new IllegalStateException(PACKAGE + " names no version of prettier");
    }
    return Pattern.compile("^" + Pattern.quote(version.group(1)) + "$", Pattern.MULTILINE);
  }

  private static boolean isShellScript(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".sh")
        || name.endsWith(".bash")
        || !name.contains(".") && SHEBANG.matcher(beginning(file, 80)).lookingAt();
  }

  private static String beginning(Path file, int length) {
    try (InputStream bytes = Files.newInputStream(file)) {
      return new String(bytes.readNBytes(length), StandardCharsets.ISO_8859_1);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  @Override
  public boolean covers(Path file) {
    return covers.test(file);
  }

  @Override
  public List<String> check(List<Path> files) {
    return run(check, files);
  }

  @Override
  public List<String> apply(List<Path> files) {
    return run(apply, files);
  }

  private List<String> run(List<String> arguments, List<Path> files) {
    if (!isInstalled()) {
      System.err.printf(
          "%n*** NOT TESTED: %s is not installed, which %s does ***%n%n", name, installation);
      return List.of();
    }
    List<String> whole = new ArrayList<>(arguments);
    files.forEach(file -> whole.add(file.toString()));
    Outcome outcome = run(whole);
    if (outcome.status() != 0 && outcome.output().isBlank()) {
      return List.of(name + " ended with exit status " + outcome.status());
    }
    return outcome.output().isBlank()
        ? List.of()
        : List.of(name + " finds:", outcome.output().stripTrailing());
  }

  private boolean isInstalled() {
    try {
      Outcome outcome = run(List.of("--version"));
      return outcome.status() == 0 && version.matcher(outcome.output()).find();
    } catch (UncheckedIOException notFound) {
      return false;
    }
  }

  /**
   * The outcome of a program.
   *
   * @param output everything that it printed
   */
  private record Outcome(int status, String output) {}

  private Outcome run(List<String> arguments) {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(arguments);
    try {
      Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Outcome(process.waitFor(), output);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    } catch (InterruptedException fault) {
      throw new IllegalStateException(fault);
    }
  }
}
