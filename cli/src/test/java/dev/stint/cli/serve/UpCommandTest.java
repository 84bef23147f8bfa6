package dev.stint.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpCommandTest {
  @TempDir private Path directory = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"0s", "500ms", "59s"})
  void eventsStayForAMinuteAtLeast(String time) {
    Path data = directory.resolve("data");
    Recorded recorded = Recorded.plain();
    assertThat(recorded.run("up", "--data", data.toString(), "--event-ttl", time)).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly("stint: --event-ttl is " + time + "; it must be at least 1m");
    assertThat(data).doesNotExist();
  }
}
