package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher, in a copy of the repository with a fake JDK and a fake Maven that only record their
 * calls.
 */
@Execution(ExecutionMode.CONCURRENT)
class LauncherTest {
  private static final String JAVA =
      """
      #!/bin/sh
      for arg; do
        case $arg in
          -XX:AOTCacheOutput=*/short.aot) : >"${arg#*=}"; echo train >>"$NOTES"; exit ;;
          -XX:AOTCacheOutput=*) : >"${arg#*=}"; exit ;;
        esac
        if [ "$arg" = dev.stint.cli.CacheJars ]; then copy=yes; fi
      done
      if [ "${copy-}" ]; then
        while [ "$1" != dev.stint.cli.CacheJars ]; do shift; done
        to=$2; shift 2
        exec cp "$@" "$to"
      fi
      while [ $# -gt 0 ] && [ "$1" != dev.stint.cli.Main ]; do shift; done
      shift
      echo "ran in $PWD with: $*"
      """;
  private static final String MAVEN =
      """
      #!/bin/sh
      echo build >>"$NOTES"
      echo "$MAVEN_OPTS $JAVA_TOOL_OPTIONS" >"$NOTES.options"
      [ -z "$BREAK" ] || { echo "[ERROR] Main.java:[1,1] broken"; echo "[ERROR] -> [Help 1]"; exit 1; }
      cd "$(dirname "$0")/../root"
      mkdir -p cli/target/quick lib
      cat model/src/main/A.java >cli/target/quick/stint-cli-1.jar
      echo library >lib/library-1.jar
      printf %s "$PWD/lib/library-1.jar" >cli/target/quick/classpath
      """;

  private static final String OPTIONS = "cli/src/main/launcher/options.sh";

  private static final String COMPILER =
      """
      #!/bin/sh
      while [ "$1" != -o ]; do shift; done
      cp "$3" "$2"
      """;

  /**
   * The result of a call of the launcher.
   *
   * @param out the lines on standard output
   * @param err the lines on standard error
   */
  private record Call(int status, List<String> out, List<String> err) {}

  @TempDir private Path directory;
  private Path root = Path.of("");

  @BeforeEach
  void copyTheLauncher() throws IOException {
    directory = directory.toRealPath();
    root = Files.createDirectories(directory.resolve("root"));
    Files.createDirectories(root.resolve("examples"));
    write(root.resolve("pom.xml"), "<project/>");
    write(root.resolve("model/pom.xml"), "<project/>");
    write(root.resolve("model/src/main/A.java"), "class A {}");
    program(root.resolve("stint"), Files.readString(Path.of("..", "stint")));
    write(root.resolve(OPTIONS), Files.readString(Path.of("..").resolve(OPTIONS)));
    write(root.resolve("build/commandspec/src/main/P.java"), "class P {}");
    write(root.resolve("runner/src/main/c/shim.c"), "int main;");
    program(directory.resolve("bin/mvn"), MAVEN);
    program(directory.resolve("bin/cc"), COMPILER);
    jdk("25.0.3");
  }

  @Test
  void buildsOnFirstUseOnly() throws Exception {
    Call first = stint("version");
    assertThat(first.err())
        .singleElement()
        .asString()
        .startsWith("stint: building (first use), which takes a minute or more")
        .endsWith("is in " + root + "/.stint/build/build.log");
    assertThat(first.out()).containsExactly("ran in " + directory + " with: version");
    assertThat(first.status()).isZero();
    assertThat(stint("version").err()).isEmpty();
    assertThat(notes()).containsExactly("build", "train");
  }

  @Test
  void buildsAgainWhenASourceHasChanged() throws Exception {
    stint("version");
    write(root.resolve("model/src/main/A.java"), "class A { int a; }");
    assertThat(stint("version").err())
        .singleElement()
        .asString()
        .startsWith("stint: building (sources changed), which takes up to a minute");
    assertThat(stint("version").err()).isEmpty();
    assertThat(notes()).containsExactly("build", "train", "build", "train");
  }

  @Test
  void buildsAgainWhenASourceIsOlderThanBefore() throws Exception {
    stint("version");
    Files.setLastModifiedTime(root.resolve("model/src/main/A.java"), FileTime.from(Instant.EPOCH));
    assertThat(stint("version").err())
        .singleElement()
        .asString()
        .startsWith("stint: building (sources changed), which takes up to a minute");
  }

  @Test
  void keepsTheCacheIfABuildMakesTheSameJars() throws Exception {
    stint("version");
    write(root.resolve("model/src/main/B.java"), "// Nothing that ends up in a jar.");
    stint("version");
    assertThat(notes()).containsExactly("build", "train", "build");
  }

  @Test
  void removesTheBuildThatItReplaces() throws Exception {
    stint("version");
    write(root.resolve("model/src/main/A.java"), "class A { int a; }");
    stint("version");
    try (Stream<Path> builds = Files.list(root.resolve(".stint/build"))) {
      assertThat(builds.filter(Files::isDirectory)).hasSize(1);
    }
  }

  @Test
  void reportsTheCompiledShim() throws Exception {
    stint("version");
    Path build = build();
    assertThat(build.resolve("stint-shim")).hasContent("int main;");
    assertThat(Files.readString(build.resolve("java.args")))
        .contains("\"-Dstint.shim=" + build + "/stint-shim\"");
  }

  @Test
  void worksWithoutAWorkingCompiler() throws Exception {
    program(directory.resolve("bin/cc"), "#!/bin/sh\necho broken >&2\nexit 1\n");
    assertThat(stint("version").status()).isZero();
    assertThat(Files.readString(build().resolve("java.args"))).doesNotContain("stint.shim");
  }

  private Path build() throws IOException {
    try (Stream<Path> builds = Files.list(root.resolve(".stint/build"))) {
      return builds.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  @Test
  void buildsOnceIfTwoStartAtOnce() throws Exception {
    Process one = start(List.of(root.resolve("stint").toString(), "one"), "");
    Process two = start(List.of(root.resolve("stint").toString(), "two"), "");
    assertThat(call(one).out()).containsExactly("ran in " + directory + " with: one");
    assertThat(call(two).out()).containsExactly("ran in " + directory + " with: two");
    assertThat(notes()).containsExactly("build", "train");
  }

  @Test
  void worksThroughSymbolicLinks() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("root"));
    Path stint = Files.createSymbolicLink(directory.resolve("bin/stint"), link.resolve("stint"));
    assertThat(call(start(List.of(stint.toString(), "version"), "")).status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "elsewhere"})
  void aRelativePathIsNotSearchedForInDirectoriesOfTheUser(String searched) throws Exception {
    Files.createDirectories(directory.resolve("elsewhere/root"));
    ProcessBuilder relative = command(List.of("sh", "-c", "root/stint version"), "");
    relative.environment().put("CDPATH", directory.resolve(searched).toString());
    Call call = call(relative.start());
    assertThat(call.out()).containsExactly("ran in " + directory + " with: version");
    assertThat(call.status()).isZero();
  }

  @Test
  void passesArgumentsUnchanged() throws Exception {
    assertThat(stint("run", "a b.yaml", "@c", "*").out())
        .containsExactly("ran in " + directory + " with: run a b.yaml @c *");
  }

  @Test
  void showsWhyABuildFailed() throws Exception {
    Call call = call(start(List.of(root.resolve("stint").toString(), "version"), "yes"));
    assertThat(call.status()).isEqualTo(2);
    assertThat(call.err().subList(1, call.err().size()))
        .containsExactly(
            "[ERROR] Main.java:[1,1] broken",
            "stint: the build failed; its full output is in " + root + "/.stint/build/build.log");
  }

  /** The build's programs choose their own, and a JVM refuses two. */
  @Test
  void theBuildDoesNotSeeTheCollectorThatTheUserChooses() throws Exception {
    ProcessBuilder building = command(List.of(root.resolve("stint").toString(), "version"), "");
    building.environment().put("MAVEN_OPTS", "-Xmx1g -XX:+UseParallelGC");
    building.environment().put("JAVA_TOOL_OPTIONS", "-Dproxy=a -XX:+UseG1GC -Dother=b");
    assertThat(call(building.start()).status()).isZero();
    assertThat(directory.resolve("notes.options"))
        .content()
        .isEqualToNormalizingWhitespace(
            "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx1g -Dproxy=a -Dother=b");
  }

  @Test
  void saysThatItCannotStartBelowADirectoryWithAColon() throws Exception {
    Path named = Files.move(root, directory.resolve("stint:1.2"));
    Call call = call(start(List.of(named.resolve("stint").toString(), "version"), ""));
    assertThat(call.status()).isEqualTo(2);
    assertThat(call.err())
        .containsExactly(
            "stint: Java cannot start from %s, since the path has a colon; move the clone to another directory"
                .formatted(named));
  }

  @Test
  void exitsInsteadOfBuildingIfItIsToldTo() throws Exception {
    ProcessBuilder completing = command(List.of(root.resolve("stint").toString(), "ls"), "");
    completing.environment().put("STINT_BUILD", "no");
    Call call = call(completing.start());
    assertThat(call.status()).isEqualTo(2);
    assertThat(call.err()).singleElement().asString().contains("STINT_BUILD=no");
    assertThat(directory.resolve("notes")).doesNotExist();
    stint("version");
    assertThat(call(completing.start()).out()).containsExactly("ran in " + directory + " with: ls");
  }

  @Test
  void anotherUserRunsABuildButIsToldThatOnlyItsOwnerCanMakeOne() throws Exception {
    assumeTrue(isRoot(), "NOT TESTED: only root can run a command as another user");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    stint("version");
    assertThat(call(start(asAnotherUser("ls"), "")).out())
        .containsExactly("ran in " + directory + " with: ls");

    write(root.resolve("model/src/main/A.java"), "class A { int a; }");
    Call call = call(start(asAnotherUser("ls"), ""));
    assertThat(call.status()).isEqualTo(2);
    assertThat(call.err())
        .containsExactly(
            "stint: a build is needed (sources changed), and you cannot write to %1$s/.stint/build; let root run %1$s/stint version, or use a clone of your own"
                .formatted(root));
  }

  private List<String> asAnotherUser(String command) {
    return List.of(
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        root.resolve("stint").toString(),
        command);
  }

  private static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }

  @Test
  void saysThatTheDirectoryWasRemoved() throws Exception {
    Files.createDirectory(directory.resolve("gone"));
    String script =
        "cd gone && rmdir ../gone && exec '%s' version".formatted(root.resolve("stint"));
    Call call = call(start(List.of("sh", "-c", script), ""));
    assertThat(call.status()).isEqualTo(2);
    assertThat(call.err().getLast())
        .isEqualTo("stint: the current directory was removed; change to another one");
    assertThat(directory.resolve("notes")).doesNotExist();
  }

  @Test
  void worksInADirectoryBelowOneOfAnotherUser() throws Exception {
    assumeTrue(isRoot(), "NOT TESTED: only root can run a command as another user");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    stint("version");
    Path inner = Files.createDirectories(directory.resolve("private/inner"));
    Files.setPosixFilePermissions(
        inner.resolve(".."), PosixFilePermissions.fromString("rwx------"));
    Process process = command(asAnotherUser("ls"), "").directory(inner.toFile()).start();
    assertThat(call(process).out()).containsExactly("ran in " + inner + " with: ls");
  }

  @Test
  void refusesAJdkThatIsNot25() throws Exception {
    jdk("24.0.1");
    Call call = stint("version");
    assertThat(call.status()).isEqualTo(2);
    assertThat(call.err())
        .containsExactly(
            "stint: STINT_JAVA_HOME="
                + directory
                + "/jdk is not a JDK 25; set it to one or unset it");
  }

  private Call stint(String... args) throws Exception {
    return call(
        start(
            Stream.concat(Stream.of(root.resolve("stint").toString()), Stream.of(args)).toList(),
            ""));
  }

  private Process start(List<String> command, String broken) throws IOException {
    return command(command, broken).start();
  }

  private ProcessBuilder command(List<String> command, String broken) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("STINT_JAVA_HOME", directory.resolve("jdk").toString());
    builder.environment().merge("PATH", directory + "/bin", (path, ours) -> ours + ":" + path);
    builder.environment().put("NOTES", directory.resolve("notes").toString());
    builder.environment().put("BREAK", broken);
    return builder;
  }

  private static Call call(Process process) throws Exception {
    List<String> out = process.inputReader().lines().toList();
    List<String> err = process.errorReader().lines().toList();
    return new Call(process.waitFor(), out, err);
  }

  private List<String> notes() throws IOException {
    return Files.readAllLines(directory.resolve("notes"));
  }

  private void jdk(String version) throws IOException {
    write(
        directory.resolve("jdk/release"),
        "JAVA_RUNTIME_VERSION=\"%s+9\"\nJAVA_VERSION=\"%s\"\n".formatted(version, version));
    program(directory.resolve("jdk/bin/java"), JAVA);
    program(directory.resolve("jdk/bin/javac"), "#!/bin/sh\n");
  }

  private static void program(Path file, String text) throws IOException {
    write(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
