package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobStatusContractTest {
  private static final Path SOURCE = Path.of("src/main/java/dev/stint/model/job/JobStatus.java");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "conditions       | exclude each other",
        "conditions       | once True, stays True",
        "startTime        | cannot be changed",
        "completionTime   | cannot be changed",
        "completionTime   | set together with {@code Complete} and only then",
        "ready            | at most {@code active}",
        "terminating      | 0 once the Job is finished",
        "completedIndexes | only for Jobs with completionMode Indexed",
        "failedIndexes    | only for Jobs with a backoff limit per index",
        "uncounted        | empty once the Job is finished",
      })
  @Covers("MB-44")
  void theDocumentationOfAFieldStatesWhatWritersMustKeep(String field, String contract)
      throws IOException {
    String source = Files.readString(SOURCE).replaceAll("\\s+\\*\\s+", " ");
    int start = source.indexOf("@param " + field + " ");
    assertThat(start).isNotNegative();
    int end = source.indexOf("@param", start + 1);
    String text = source.substring(start, end < 0 ? source.indexOf("*/", start) : end);
    assertThat(text).contains(contract);
  }
}
