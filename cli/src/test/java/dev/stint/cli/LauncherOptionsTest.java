package dev.stint.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The options that the launchers of the sources and of a release choose for the JVM. */
class LauncherOptionsTest {
  private static final Path OPTIONS = Path.of("src/main/launcher/options.sh").toAbsolutePath();
  private static final String FIXED = "-Xmn768m";

  @TempDir private Path system;

  @ParameterizedTest
  @CsvSource({"run, true", "bench, true", "up, false", "ls, false", "'', false"})
  void commandsThatMayWorkOnManyPodsHaveAFixedYoungGeneration(String command, boolean fixed)
      throws Exception {
    assertThat(options(command, "").contains(FIXED)).isEqualTo(fixed);
  }

  @ParameterizedTest
  @CsvSource({
    "run, UseParallelGC",
    "-v run, UseParallelGC",
    "--verbose -v run a.yaml, -Xmn768m",
    "-v up, Tier4InvocationThreshold=50000",
    "-v mirror --claim run, SurvivorRatio=3",
    "--version, UseSerialGC",
  })
  void flagsBeforeACommandLeaveItItsOptions(String words, String option) throws Exception {
    assertThat(options(words, "")).contains(option);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xmx4g",
        "-Xmn64m",
        "-XX:MaxRAMPercentage=50",
        "-XX:+UseZGC",
        "-XX:-UseTransparentHugePages",
        "-XX:MaxTenuringThreshold=5",
        "-XX:SurvivorRatio=8",
        "-XX:+UseAdaptiveSizePolicy"
      })
  void theHeapThatAUserChoosesIsLeftAlone(String chosen) throws Exception {
    assertThat(options("run", chosen)).contains(chosen).doesNotContain(FIXED);
  }

  @ParameterizedTest
  @CsvSource({
    "run, STINT_JAVA_OPTS, -XX:+UseG1GC",
    "run, JAVA_TOOL_OPTIONS, -XX:+UseSerialGC",
    "bench, JDK_JAVA_OPTIONS, -Xms1g -XX:+UseZGC",
    "controller, _JAVA_OPTIONS, -XX:+UseParallelGC",
    "up, STINT_JAVA_OPTS, '-XX:-UseSerialGC -XX:+UseZGC -Xmx1g'",
    "ls, JAVA_TOOL_OPTIONS, -XX:+UseG1GC",
  })
  void theCollectorThatAUserChoosesIsTheOnlyOne(String command, String variable, String chosen)
      throws Exception {
    String script =
        "export %s='%s'; choose_options %s; \"%s/bin/java\" $options -version"
            .formatted(variable, chosen, command, System.getProperty("java.home"));
    assertThat(shell(script)).contains("25");
  }

  @ParameterizedTest
  @CsvSource({"run, Parallel", "bench, Parallel", "controller, Serial", "up, Serial", "ls, Serial"})
  void aCommandHasOneCollector(String command, String collector) throws Exception {
    assertThat(options(command, "-Xlog:gc -XX:+UseGCOverheadLimit").split(" "))
        .filteredOn(word -> word.matches("-XX:\\+Use[A-Za-z0-9]*GC"))
        .containsExactly("-XX:+Use" + collector + "GC");
  }

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
  void charactersAreUtf8UnlessTheCallerHasOthers(
      String all, String characters, String other, boolean chosen) throws Exception {
    Files.createDirectories(system.resolve("C.utf8"));
    String set = "LC_ALL=%s LC_CTYPE=%s LANG=%s; ".formatted(all, characters, other);
    String expected = chosen ? "C.UTF-8 " + all : all + " none";
    assertThat(shell(set + charset())).isEqualTo(expected.strip());
  }

  @Test
  void charactersAreLeftToASystemWithoutTheLocale() throws Exception {
    assertThat(shell("LC_ALL=C; " + charset())).isEqualTo("C none");
  }

  @Test
  void theLocaleOfAnOuterCommandIsNotThatOfAnInnerOne() throws Exception {
    String set = "export STINT_LC_ALL=C LC_ALL=de_DE.ISO-8859-1; ";
    assertThat(shell(set + charset())).isEqualTo("de_DE.ISO-8859-1 none");
  }

  private String charset() {
    return "choose_charset %s; echo \"$LC_ALL ${STINT_LC_ALL-none}\"".formatted(system);
  }

  @Test
  void aFixedYoungGenerationKeepsItsSizes() throws Exception {
    assertThat(options("run", ""))
        .contains(
            FIXED + " -XX:SurvivorRatio=4 -XX:-UseAdaptiveSizePolicy -XX:MaxTenuringThreshold=2");
  }

  @Test
  void otherOptionsOfAUserAreKept() throws Exception {
    assertThat(options("run", "-Xlog:gc")).contains("-Xlog:gc", FIXED);
  }

  @ParameterizedTest
  @CsvSource({
    "always [madvise] never, yes",
    "[always] madvise never, yes",
    "always madvise [never], no",
  })
  void hugePagesAreAskedForWhereTheSystemHasThem(String modes, String answer) throws Exception {
    Path file = Files.writeString(system.resolve("enabled"), modes + "\n");
    assertThat(answer("has_huge_pages " + file)).isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource({":, true", "false, false"})
  void theHeapHasHugePagesWhereTheSystemGivesThem(String given, boolean asked) throws Exception {
    String options =
        shell(
            "has_memory() { :; }; has_huge_pages() { %s; }; options=; add_heap_options run; echo $options"
                .formatted(given));
    assertThat(options.contains("-XX:+UseTransparentHugePages")).isEqualTo(asked);
  }

  @Test
  void aSystemThatSaysNothingOfHugePagesHasNone() throws Exception {
    Path none = system.resolve("enabled");
    assertThat(answer("has_huge_pages " + none)).isEqualTo("no");
  }

  /** The options of a command on a machine with memory enough. */
  private String options(String command, String chosen) throws Exception {
    return shell(
        "has_memory() { :; }; choose_options %1$s; add_heap_options %1$s; echo $options"
            .formatted(command),
        Map.of("STINT_JAVA_OPTS", chosen));
  }

  @ParameterizedTest
  @CsvSource({"2097152, yes", "2097153, no"})
  void theMachineMustHaveTheMemory(String wanted, String answer) throws Exception {
    machine("0::/");
    assertThat(hasMemory(wanted)).isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource({"1048576, yes", "1048577, no"})
  void aControlGroupAboveThatOfTheProcessLimitsIt(String wanted, String answer) throws Exception {
    machine("0::/batch.slice/one.service");
    limit("batch.slice/memory.max", "1073741824");
    limit("batch.slice/one.service/memory.max", "max");
    assertThat(hasMemory(wanted)).isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource({"1048576, yes", "1048577, no"})
  void groupsOfTheFirstVersionLimitIt(String wanted, String answer) throws Exception {
    machine("4:cpu,memory:/docker/one\n0::/");
    limit("memory/docker/one/memory.limit_in_bytes", "1073741824");
    limit("memory/memory.limit_in_bytes", "9223372036854771712");
    assertThat(hasMemory(wanted)).isEqualTo(answer);
  }

  @Test
  void memoryThatCannotBeReadIsNotThere() throws Exception {
    assertThat(hasMemory("1")).isEqualTo("no");
  }

  private String hasMemory(String kib) throws Exception {
    return answer("has_memory %1$s %2$s/proc %2$s/cgroup".formatted(kib, system));
  }

  private static String answer(String condition) throws Exception {
    return shell("if %s; then echo yes; else echo no; fi".formatted(condition));
  }

  /** Makes a machine of two GiB. */
  private void machine(String groups) throws IOException {
    Files.createDirectories(system.resolve("proc/self"));
    Files.writeString(system.resolve("proc/meminfo"), "MemTotal:  2097152 kB\nMemFree:  1 kB\n");
    Files.writeString(system.resolve("proc/self/cgroup"), groups + "\n");
  }

  private void limit(String file, String bytes) throws IOException {
    Path limit = system.resolve("cgroup").resolve(file);
    Files.createDirectories(limit.getParent());
    Files.writeString(limit, bytes + "\n");
  }

  private static String shell(String script) throws Exception {
    return shell(script, Map.of());
  }

  private static String shell(String script, Map<String, String> environment) throws Exception {
    ProcessBuilder sh =
        new ProcessBuilder("sh", "-euc", ". " + OPTIONS + "; " + script).redirectErrorStream(true);
    sh.environment().keySet().removeIf(name -> name.contains("JAVA"));
    sh.environment().putAll(environment);
    Process process = sh.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }
}
