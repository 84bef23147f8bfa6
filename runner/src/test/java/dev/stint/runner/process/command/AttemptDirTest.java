package dev.stint.runner.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.item.ItemText;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptDirTest {
  @TempDir Path dir;

  @Test
  void theEnvironmentMayHoldAnItemThatIsNotUtf8() throws Exception {
    byte[] item = {'a', (byte) 0xff, 'b'};
    AttemptDir attempt = new AttemptDir(dir);
    attempt.writeEnvironment(ItemText.of(item));
    assertThat(Files.readAllBytes(attempt.environmentFile())).isEqualTo(item);
  }
}
