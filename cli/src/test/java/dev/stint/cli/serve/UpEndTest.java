package dev.stint.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.Recorded;
import dev.stint.cli.output.ExitCode;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class UpEndTest {
  private final Recorded recorded = Recorded.plain();
  private final CompletableFuture<IOException> storeFailure = new CompletableFuture<>();
  private final UpEnd end = new UpEnd(recorded.console(), () -> storeFailure);

  @Test
  void whatFollowsFromTheFailureOfTheStoreIsNotTold() {
    // Dependants of a future are called in reverse order: this fault comes first.
    storeFailure.thenRun(() -> end.onFault("cannot start", new IllegalStateException("refused")));
    storeFailure.complete(new IOException("the disk is full"));
    assertThat(end.status()).isCompletedWithValue(ExitCode.USAGE.status());
    assertThat(recorded.err()).containsExactly("stint: the disk is full");
  }

  @Test
  void aStartThatTheFailureOfTheStoreCutsShortEndsWithThat() {
    int status =
        end.await(() -> {
          storeFailure.complete(new IOException("the disk is full"));
          throw new IllegalStateException("refused");
        });
    assertThat(status).isEqualTo(ExitCode.USAGE.status());
    assertThat(recorded.err()).containsExactly("stint: the disk is full");
  }

  @Test
  void aFaultOfStintEndsAServer() {
    end.onFault("cannot start", new IllegalStateException("a fault"));
    assertThat(end.status()).isCompletedWithValue(ExitCode.INTERNAL.status());
    assertThat(recorded.err()).containsExactly("stint: cannot start: a fault");
  }

  @Test
  void aStartThatFailsByItselfIsThrown() {
    assertThatThrownBy(() ->
            end.await(() -> {
              throw new IllegalStateException("a fault");
            }))
        .hasMessage("a fault");
  }

  @Test
  void theFirstSignalCounts() {
    assertThat(end.onSignal(ExitCode.TERMINATED.status())).isTrue();
    assertThat(end.onSignal(ExitCode.INTERRUPTED.status())).isFalse();
    assertThat(end.await(() -> {})).isEqualTo(ExitCode.TERMINATED.status());
  }
}
