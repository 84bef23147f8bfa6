package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuccessesOnDiskTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final KubeObject POD =
      KubeObject.of(
          Json.parse(
              """
              {"apiVersion": "v1", "kind": "Pod",
               "metadata": {"name": "p", "namespace": "default", "uid": "uid"},
               "spec": {"containers": [{"name": "main"}, {"name": "other"}]}}
              """));

  @TempDir private Path pods;

  @Test
  void aPodHasSucceededIfAllItsContainersHave() throws IOException {
    assertThat(hasSucceeded()).isFalse();
    end("main", 0, 0);
    assertThat(hasSucceeded()).isFalse();
    end("other", 0, 0);
    assertThat(hasSucceeded()).isTrue();
  }

  @Test
  void onlyTheLastAttemptDecides() throws IOException {
    end("main", 0, 1);
    end("main", 1, 0);
    end("other", 0, 0);
    assertThat(hasSucceeded()).isTrue();
    end("other", 1, 1);
    assertThat(hasSucceeded()).isFalse();
  }

  @Test
  void anInterruptedAttemptDoesNotCount() throws IOException {
    attempt("main", 0).markInterrupted();
    end("main", 0, 0);
    end("other", 0, 0);
    assertThat(hasSucceeded()).isFalse();
  }

  private boolean hasSucceeded() {
    return new SuccessesOnDisk(pods).has(POD);
  }

  private void end(String container, int number, int code) throws IOException {
    attempt(container, number).write(Exit.of(code, null, NOW, NOW));
  }

  private AttemptDir attempt(String container, int number) throws IOException {
    AttemptDir attempt = AttemptDir.of(pods, "uid", container, number);
    attempt.create();
    return attempt;
  }
}
