package dev.stint.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.runner.process.ProcessRuntime;
import dev.stint.runner.process.user.PodUser;
import dev.stint.runner.process.user.PodUsers;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The users that pods run as; most of it only root may ask for. */
class PodUserOptionsTest {
  @TempDir private Path directory;

  private static void assumeRoot() {
    assumeTrue(ProcessRuntime.whyNoOtherUsers().isEmpty(), "only root can do so");
  }

  @Test
  void withoutTheFlagPodsRunAsStint() {
    PodUserOptions options = new PodUserOptions();
    FlagConverters.register(new CommandLine(options)).parseArgs();
    assertThat(options.isGiven()).isFalse();
    assertThat(options.users(RuntimeKind.container, new DataLocation(directory))).isEmpty();
  }

  @Test
  void aRangeGivesEachNamespaceAUser() throws IOException {
    assumeRoot();
    PodUsers users = users("1900000000-1900000009", RuntimeKind.process);
    assertThat(users.of("a")).contains(new PodUser(1_900_000_000, 1_900_000_000));
    assertThat(users.of("b")).contains(new PodUser(1_900_000_001, 1_900_000_001));
    assertThat(directory.resolve("pod-users")).hasContent("1900000000 a\n1900000001 b");
  }

  @Test
  void aNameIsOneUserForAll() throws IOException {
    assumeRoot();
    assertThat(users("nobody", RuntimeKind.process).of("a"))
        .isPresent()
        .isEqualTo(users("nobody", RuntimeKind.process).of("b"));
  }

  @ParameterizedTest
  @CsvSource({
    "root, as root",
    "no such, neither a user in /etc/passwd nor a range",
    "7, neither a user in /etc/passwd nor a range",
    "0-100, is not a range of user IDs",
    "9-8, is not a range of user IDs",
    "2000000000-2147483648, is not a range of user IDs",
    "1-2147483647, of this machine is in the range",
  })
  void whatMeansNoUserIsRefused(String value, String why) {
    assumeRoot();
    assertThatThrownBy(() -> users(value, RuntimeKind.process))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith("--pod-user: ")
        .hasMessageContaining(why);
  }

  @Test
  void onlyProcessesHaveUsersOfThisMachine() {
    assertThatThrownBy(() -> users("nobody", RuntimeKind.container))
        .hasMessage("--pod-user: is only for --runtime process; remove it");
  }

  private PodUsers users(String value, RuntimeKind runtime) {
    PodUserOptions options = new PodUserOptions();
    FlagConverters.register(new CommandLine(options)).parseArgs("--pod-user=" + value);
    return options.users(runtime, new DataLocation(directory)).orElseThrow();
  }
}
