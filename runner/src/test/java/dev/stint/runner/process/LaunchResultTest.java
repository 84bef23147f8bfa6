package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.runner.file.Errnos;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.Posix;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchResultTest {
  @Test
  void aProcessGroupIsAStart() {
    assertThat(LaunchResult.of(17)).isEqualTo(new LaunchResult.Launched(17));
  }

  @Test
  void lackingResourcesMayComeBackOtherErrorsDoNot() {
    assertThat(LaunchResult.of(-Posix.EAGAIN)).isInstanceOf(LaunchResult.Hindered.class);
    assertThat(LaunchResult.of(-2))
        .isEqualTo(new LaunchResult.Impossible("cannot run the command: errno 2"));
  }

  @Test
  void aFaultOfAFileIsTriedAgainOnce() {
    IOException fault = new IOException("gone");
    assertThat(LaunchResult.of(fault, true)).isInstanceOf(LaunchResult.Hindered.class);
    assertThat(LaunchResult.of(fault, false)).isInstanceOf(LaunchResult.Impossible.class);
    IOException full = new IOException("No space left on device");
    assertThat(LaunchResult.of(full, false)).isInstanceOf(LaunchResult.Hindered.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 23, 24, 28, 122})
  void whatTheSystemLacksMayComeBackWhoeverSaysSo(int errno) {
    IOException fault = new IOException("cannot make a pipe: " + Errnos.text(errno));
    assertThat(LaunchResult.of(fault, false)).isInstanceOf(LaunchResult.Hindered.class);
    IOException other = new IOException("cannot make a pipe: " + Errnos.text(1));
    assertThat(LaunchResult.of(other, false)).isInstanceOf(LaunchResult.Impossible.class);
  }

  @Test
  void aMissingInputIsWaitedForAndAWrongCommandIsNot() {
    assertThat(LaunchResult.of(new Command.NotYetStartable("Reason", "no secret"), true))
        .isEqualTo(new LaunchResult.NotYet("Reason", "no secret"));
    assertThat(LaunchResult.of(new Command.NotStartable("no command"), true))
        .isEqualTo(new LaunchResult.Impossible("no command"));
  }

  @Test
  void anUnexpectedFaultIsOurs() {
    assertThatThrownBy(() -> LaunchResult.of(new RuntimeException("bug"), true))
        .isInstanceOf(IllegalStateException.class);
  }
}
