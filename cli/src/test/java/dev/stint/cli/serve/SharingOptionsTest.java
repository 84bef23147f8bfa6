package dev.stint.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.http.server.HttpLimits;
import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.output.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;

class SharingOptionsTest {
  private static final HttpLimits MACHINE = HttpLimits.ofThisMachine();

  private static SharingOptions parsed(String... args) {
    SharingOptions options = new SharingOptions();
    FlagConverters.commandLine(
            CommandSpec.create().addMixin("sharing", CommandSpec.forAnnotatedObject(options)))
        .parseArgs(args);
    return options;
  }

  @Test
  void withoutFlagsTheMachineSaysWhatFits() {
    assertThat(parsed().limits(MACHINE)).isEqualTo(MACHINE);
    assertThat(parsed().mostPodsPerNamespace()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void flagsChangeOneLimitEach() {
    SharingOptions options =
        parsed("--max-pods-per-namespace", "7", "--max-connections-per-address=12");
    assertThat(options.mostPodsPerNamespace()).isEqualTo(7);
    assertThat(options.limits(MACHINE)).isEqualTo(MACHINE.withConnectionsPerAddress(12));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1"})
  void aNamespaceMayRunOnePodAtLeast(String number) {
    assertThatThrownBy(() -> parsed("--max-pods-per-namespace=" + number).mostPodsPerNamespace())
        .isInstanceOf(UserException.class)
        .hasMessage("--max-pods-per-namespace is " + number + "; it must be at least 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "2000000000"})
  void anAddressMayHaveFromOneToAllConnections(String number) {
    assertThatThrownBy(() -> parsed("--max-connections-per-address=" + number).limits(MACHINE))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith(
            "--max-connections-per-address is %s; it must be from 1 to %d"
                .formatted(number, MACHINE.connections()));
  }
}
