package dev.stint.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.document.Documents;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExpiryNoteTest {
  private static RequestedJob job(String name, String spec) {
    String text =
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s}\nspec: {%s}".formatted(name, spec);
    return RequestedJob.of(Documents.read("test", text.getBytes(UTF_8)).getFirst());
  }

  @Test
  void jobsThatAreToExpireAreNamedOnce() {
    List<RequestedJob> jobs =
        Stream.of("a", "b").map(name -> job(name, "ttlSecondsAfterFinished: 0")).toList();
    assertThat(ExpiryNote.of(jobs))
        .contains(
            "a, b: only stint up deletes Jobs after their ttlSecondsAfterFinished; without it, use"
                + " stint gc");
  }

  @Test
  void nothingIsSaidOfJobsThatStay() {
    assertThat(ExpiryNote.of(List.of(job("a", "completions: 1")))).isEmpty();
  }
}
