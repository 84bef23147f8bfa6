package dev.stint.cli.location;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.StintCommand;
import dev.stint.cli.output.Console;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DirectoryHolderTest {
  private static final Set<String> COMMANDS =
      new StintCommand(Console.ofProcess()).all().getSubcommands().keySet();

  /** Words that may come before and after the name of a command. */
  private record Words(String before, String after) {
    DirectoryHolder around(String command) {
      return new DirectoryHolder("pid 7, dev.stint.cli.Main " + before + command + after);
    }
  }

  static Stream<Words> words() {
    return Stream.of(
        new Words("", ""),
        new Words("-v ", ""),
        new Words("--verbose -v ", " -n x"),
        new Words("", " run"),
        new Words("-v ", " up -- show"),
        new Words("", " --data /srv/dev.stint.cli.Main up"));
  }

  private static Set<String> commands(Words words, Predicate<DirectoryHolder> role) {
    return COMMANDS.stream()
        .filter(command -> role.test(words.around(command)))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @MethodSource("words")
  void roleFollowsFromTheNameOfTheCommand(Words words) {
    assertThat(commands(words, DirectoryHolder::isServer)).containsExactly("up");
    assertThat(commands(words, DirectoryHolder::serves))
        .containsExactlyInAnyOrder("up", "run", "rerun", "cronjob");
    assertThat(commands(words, DirectoryHolder::handsOver))
        .containsExactlyInAnyOrder("run", "rerun", "cronjob");
  }

  @ParameterizedTest
  @MethodSource("words")
  void everyCommandThatServesNobodyHasTheDirectoryForAMoment(Words words) {
    assertThat(commands(words, holder -> holder.isPassing() == holder.serves())).isEmpty();
    assertThat(commands(words, DirectoryHolder::isPassing)).contains("set", "items", "show");
  }

  @Test
  void aProcessThatHasNotNamedItselfIsPassing() {
    assertThat(new DirectoryHolder("a process that is starting").isPassing()).isTrue();
  }

  @Test
  void nothingIsKnownOfOtherPrograms() {
    for (String line : List.of("pid 7, some.other.Main up", "pid 7, dev.stint.cli.Main -v", "")) {
      DirectoryHolder holder = new DirectoryHolder(line);
      assertThat(holder.isServer() || holder.serves() || holder.isPassing()).isFalse();
    }
  }
}
