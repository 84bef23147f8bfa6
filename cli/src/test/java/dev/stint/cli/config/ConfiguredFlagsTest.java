package dev.stint.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class ConfiguredFlagsTest {
  @TempDir private Path scratch = Path.of("");
  private final Map<String, String> environment = new HashMap<>();

  /** The flags that name a place. */
  private abstract static class PlaceFlags {
    @Option(names = "--data")
    @Nullable Path data;

    @Option(names = "--kubeconfig")
    @Nullable Path kubeconfig;

    @Option(names = "--context")
    @Nullable String context;
  }

  /** A command with one flag of each sort. */
  @Command(name = "go")
  private static final class Go extends PlaceFlags {
    @Option(names = "--max-pods")
    private int maxPods = 110;

    @Option(names = "--host-path")
    private List<Path> hostPaths = List.of();

    @Option(names = "--volume-dir")
    private Map<String, Path> volumeDirs = Map.of();

    @Option(names = "--inherit-env", split = ",")
    private List<String> inheritEnv = List.of();

    @Option(names = {"-f", "--follow"})
    private boolean follow;

    @Option(names = {"-p"})
    private boolean other;

    @Option(names = "--prefix", negatable = true)
    private @Nullable Boolean prefix;

    @Option(names = {"--audit-log-path", "--audit-log"})
    private @Nullable Path audit;
  }

  @BeforeEach
  void home() {
    environment.put("HOME", scratch.toString());
  }

  private void user(String text) throws IOException {
    Path dir = Files.createDirectories(scratch.resolve(".config/stint"));
    Files.writeString(dir.resolve("config.yaml"), text);
  }

  private void system(String text) throws IOException {
    Files.writeString(scratch.resolve("system.yaml"), text);
  }

  private Go parsed(String... args) {
    Go go = new Go();
    CommandLine line = FlagConverters.register(new CommandLine(go));
    apply(line, args);
    line.parseArgs(args);
    return go;
  }

  private ConfiguredFlags apply(CommandLine line, String... args) {
    Configuration configuration = Configuration.of(environment, scratch.resolve("system.yaml"));
    CommandLine all = new CommandLine(new Stint()).addSubcommand(new Go());
    return ConfiguredFlags.apply(configuration, line, List.of("go", "rest"), () -> all, args);
  }

  @Command(name = "stint")
  private static final class Stint {}

  @Test
  void theStrongestPlaceCounts() throws Exception {
    assertThat(parsed().maxPods).isEqualTo(110);
    system("go: {max-pods: 1}\n");
    assertThat(parsed().maxPods).isEqualTo(1);
    user("all: {max-pods: 2}\n");
    assertThat(parsed().maxPods).isEqualTo(2);
    user("all: {max-pods: 2}\ngo: {max-pods: 3}\n");
    assertThat(parsed().maxPods).isEqualTo(3);
    environment.put("STINT_MAX_PODS", "4");
    assertThat(parsed().maxPods).isEqualTo(4);
    assertThat(parsed("--max-pods=5").maxPods).isEqualTo(5);
    environment.put("STINT_MAX_PODS", "");
    assertThat(parsed().maxPods).isEqualTo(3);
  }

  @Test
  void aNamedFileReplacesBoth() throws Exception {
    user("go: {max-pods: 2}\n");
    Path own = Files.writeString(scratch.resolve("own.yaml"), "go: {follow: true}\n");
    environment.put("STINT_CONFIG", own.toString());
    assertThat(parsed().maxPods).isEqualTo(110);
    assertThat(parsed().follow).isTrue();
    environment.put("STINT_CONFIG", "/dev/null");
    assertThat(parsed().follow).isFalse();
    environment.put("STINT_CONFIG", scratch + "/none.yaml");
    assertThatThrownBy(this::parsed).hasMessageContaining("no such file");
  }

  /** In the POSIX locale, a home with an accent is no valid path. */
  @Test
  void aHomeThatIsNoPathHasNoFile() throws Exception {
    system("go: {max-pods: 1}\n");
    environment.put("HOME", "/home/jos\0");
    assertThat(parsed().maxPods).isEqualTo(1);
    environment.put("XDG_CONFIG_HOME", "/home/jos\0");
    assertThat(parsed().maxPods).isEqualTo(1);
    environment.put("STINT_CONFIG", "/home/jos\0");
    assertThatThrownBy(this::parsed)
        .isInstanceOf(UserException.class)
        .hasMessageContaining("no such file");
  }

  /**
   * A link to itself cannot be followed, as a directory cannot be entered that belongs to others.
   */
  @Test
  void aFileThatCanNotBeSeenIsNoMissingOne() throws Exception {
    Path loop = scratch.resolve("system.yaml");
    Files.createSymbolicLink(loop, loop);
    assertThatThrownBy(this::parsed)
        .isInstanceOf(UserException.class)
        .hasMessageContaining(loop + ": cannot be read; make it and its directories readable");
    environment.put("HOME", "/dev/null");
    Files.delete(loop);
    assertThat(parsed().maxPods).as("nothing is in a file").isEqualTo(110);
  }

  @Test
  void flagsThatMayBeRepeatedTakeListsAndMaps() throws Exception {
    user(
        """
        go:
          host-path: [/a, "/b c", ~/d]
          volume-dir: {out: /o, ns/in: ~/i, a~/b: /c=~/d}
          inherit-env: [A, B_*]
          audit-log: /x
        """);
    Go go = parsed();
    assertThat(go.hostPaths).containsExactly(Path.of("/a"), Path.of("/b c"), scratch.resolve("d"));
    assertThat(go.volumeDirs)
        .containsEntry("out", Path.of("/o"))
        .containsEntry("ns/in", scratch.resolve("i"))
        .containsEntry("a~/b", Path.of("/c=~/d"))
        .hasSize(3);
    assertThat(go.inheritEnv).containsExactly("A", "B_*");
    assertThat(go.audit).isEqualTo(Path.of("/x"));
    assertThat(parsed("--host-path", "/z").hostPaths).containsExactly(Path.of("/z"));
    environment.put("STINT_HOST_PATH", "/l\n/m");
    assertThat(parsed().hostPaths).containsExactly(Path.of("/l"), Path.of("/m"));
  }

  @Test
  void aFlagThatIsOnCanBeTurnedOff() throws Exception {
    user("go: {follow: true, prefix: true}\n");
    assertThat(parsed().follow).isTrue();
    assertThat(parsed("--follow").follow).as("named once more, it stays on").isTrue();
    assertThat(parsed("-fp").follow).isTrue();
    assertThat(parsed("-fp").other).isTrue();
    assertThat(parsed("--follow=false").follow).isFalse();
    assertThat(parsed().prefix).isTrue();
    assertThat(parsed("--no-prefix").prefix).isFalse();
  }

  @Test
  void aNamedPlaceOfJobsReplacesAConfiguredOne() throws Exception {
    user("all: {data: /d}\n");
    assertThat(parsed("--kubeconfig", "k").data).isNull();
    environment.put("STINT_KUBECONFIG", "/k");
    environment.put("STINT_CONTEXT", "c");
    assertThat(parsed().data).isNull();
    assertThat(parsed().context).isEqualTo("c");
    assertThat(parsed("--data=/e").kubeconfig).isNull();
    assertThat(parsed("--data=/e").context).isNull();
  }

  @Test
  void aContextOnTheCommandLineNamesACluster() throws IOException {
    user("all: {data: /d}");
    assertThat(parsed("--context=c").data).isNull();
    assertThat(parsed("--context=c").context).isEqualTo("c");
    assertThat(parsed().data).isEqualTo(Path.of("/d"));
  }

  @Test
  void aConfiguredContextNamesACluster() throws IOException {
    environment.put("STINT_CONTEXT", "v");
    assertThat(parsed().context).isEqualTo("v");
    environment.clear();
    home();
    user("all: {context: u}");
    assertThat(parsed().context).isEqualTo("u");
    system("all: {data: /d}");
    assertThat(parsed().context).isEqualTo("u");
    assertThat(parsed().data).as("from a weaker place").isNull();
    environment.put("STINT_DATA", "/e");
    assertThat(parsed().context).isNull();
    assertThat(parsed().data).isEqualTo(Path.of("/e"));
    environment.put("STINT_KUBECONFIG", "/k");
    environment.remove("STINT_DATA");
    assertThat(parsed().context).as("of another kubeconfig").isNull();
    Configuration configuration = Configuration.of(environment, scratch.resolve("system.yaml"));
    CommandLine go = FlagConverters.register(new CommandLine(new Go()));
    assertThat(ConfiguredFlags.settings(configuration, go.getCommandSpec(), "--", "--data=/x"))
        .as("words of the command to run")
        .containsOnlyKeys("--kubeconfig");
  }

  /** The flags of {@code stint doctor}. */
  @Command(name = "doctor")
  private static final class Looking extends PlaceFlags {}

  private Looking looking(String... args) {
    Looking looking = new Looking();
    CommandLine line = FlagConverters.register(new CommandLine(looking));
    Configuration configuration = Configuration.of(environment, scratch.resolve("system.yaml"));
    ConfiguredFlags.applyUnchecked(configuration, line, args);
    line.parseArgs(args);
    return looking;
  }

  @Test
  void theDoctorLooksAtBothPlaces() throws IOException {
    user("all: {data: /d}");
    assertThat(looking("--kubeconfig=k").data).isEqualTo(Path.of("/d"));
    environment.put("STINT_CONTEXT", "c");
    assertThat(looking().context).as("without a kubeconfig").isNull();
    assertThat(looking().data).isEqualTo(Path.of("/d"));
    assertThat(looking("--kubeconfig=k").context).as("of another kubeconfig").isNull();
    environment.put("STINT_KUBECONFIG", "/k");
    assertThat(looking("--data=/e").kubeconfig).isEqualTo(Path.of("/k"));
    assertThat(looking("--data=/e").context).isEqualTo("c");
  }

  @Test
  void whatCountsIsShown() throws IOException {
    user("all: {context: u, kubeconfig: /k}");
    system("all: {data: /d}");
    Configuration configuration = Configuration.of(environment, scratch.resolve("system.yaml"));
    assertThat(
            FlagValue.of(
                FlagConverters.register(new CommandLine(new Go())).getCommandSpec(), configuration))
        .filteredOn(value -> !value.isDefault())
        .extracting(FlagValue::flag)
        .containsExactly("--context", "--kubeconfig");
  }

  @Test
  void unknownKeysAreRefusedWithTheirPlace() throws Exception {
    user("go: {max-pod: 8}\nall:\n  kubeconfg: x\nrest: {anything: 1}\nrun:\n  a: b\n");
    String file = scratch + "/.config/stint/config.yaml";
    assertThatThrownBy(this::parsed)
        .isInstanceOfSatisfying(
            UserException.class,
            fault ->
                assertThat(fault.lines())
                    .containsExactly(
                        file
                            + ":5: run: is not a command that can be configured; flags belong under a command, or under all",
                        file
                            + ":1: go.max-pod: is not a flag of stint go (did you mean max-pods?);"
                            + " see: stint go --help",
                        file
                            + ":3: all.kubeconfg: is not a flag of any command that can be"
                            + " configured (did you mean kubeconfig?)"));
  }

  @Test
  void wrongFormsAreRefused() throws Exception {
    user("go: [1]\n");
    assertThatThrownBy(this::parsed).hasMessageContaining(":1: go: must be a map of flags");
    user("go:\n  max-pods:\n");
    assertThatThrownBy(this::parsed).hasMessageContaining(":2: go.max-pods: has no value");
    user("go:\n  max-pods: {a: [1]}\n");
    assertThatThrownBy(this::parsed).hasMessageContaining("must be a value, a list");
    user("go: {max-pods: 1, max-pods: 2}\n");
    assertThatThrownBy(this::parsed).hasMessageContaining("go.max-pods: is repeated");
    user("go: {}\n---\ngo: {}\n");
    assertThatThrownBy(this::parsed).hasMessageContaining("one document is expected");
    user("go\n");
    assertThatThrownBy(this::parsed).hasMessageContaining("an object is expected");
    user("go: {\n");
    assertThatThrownBy(this::parsed).hasMessageContaining("not YAML");
    user("# nothing yet\n");
    assertThat(parsed().maxPods).isEqualTo(110);
  }

  @Test
  void messagesSayWhereAFlagComesFrom() throws Exception {
    user("go:\n  max-pods: 0\n");
    ConfiguredFlags flags = apply(FlagConverters.register(new CommandLine(new Go())));
    assertThat(flags.origins(List.of("--max-pods is 0; it must be at least 1")))
        .containsExactly(
            "--max-pods is set by " + scratch + "/.config/stint/config.yaml:2 (go.max-pods)");
    assertThat(flags.origins(List.of("--max-pods-per-namespace is 0"))).isEmpty();
    assertThat(
            apply(FlagConverters.register(new CommandLine(new Go())), "--max-pods", "0")
                .origins(List.of("--max-pods")))
        .isEmpty();
  }
}
