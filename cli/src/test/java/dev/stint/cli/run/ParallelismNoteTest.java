package dev.stint.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.document.Documents;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ParallelismNoteTest {
  private static RequestedJob job(String spec) {
    String text =
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: x}\nspec: {%s}".formatted(spec);
    return RequestedJob.of(
        Documents.read("test", text.getBytes(StandardCharsets.UTF_8)).getFirst());
  }

  @Test
  void aJobThatAsksForMorePodsThanRunIsTold() {
    assertThat(ParallelismNote.of(job("parallelism: 200, completions: 300"), 110))
        .contains(
            "x: asks for 200 pods at once, but at most 110 run; raise it with --max-pods 200");
  }

  @Test
  void nothingIsSaidToAJobThatGetsItsParallelism() {
    assertThat(ParallelismNote.of(job("parallelism: 200, completions: 100"), 110)).isEmpty();
    assertThat(ParallelismNote.of(job("parallelism: 110"), 110)).isEmpty();
    assertThat(ParallelismNote.of(job("completions: 500"), 110)).isEmpty();
  }
}
