package dev.stint.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentedOutputTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Complete in 4s, 5 of 10   | Complete in 1m12s, 5 of 10
          Complete in 4s, 5 of 10   | Complete in 950ms, 5 of 10
          (3s, 4.5/s)               | (12s, 0.1/s)
          NAME  STATE               | NAME      STATE
          at https://127.0.0.1:6443 | at https://127.0.0.1:40123
          pod a-3-… has ended       | pod a-3-x7k2p has ended
          1      1    …  failed     | 1      1    main  2026-11-21T22:39:10Z  0s    failed
          """)
  void valuesThatVaryBetweenRunsMayDiffer(String line, String printed) {
    assertThat(DocumentedOutput.missing(List.of(line), "before\n" + printed + "  \nafter\n"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Complete in 4s, 5 of 10 | Complete in 4s, 6 of 10
          Complete in 4s          | Complete in a while
          Complete                | Completed
          2 of 3 (x)              | 2 of 3 x
          """)
  void otherTextMustMatch(String line, String printed) {
    assertThat(DocumentedOutput.missing(List.of(line), printed)).containsExactly(line);
  }

  @Test
  void linesMayComeInAnyOrderAndWithOthersBetween() {
    assertThat(DocumentedOutput.missing(List.of("b", "", "…", "a"), "a\nx\nb\n")).isEmpty();
  }
}
