package dev.stint.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests name requirements that there are; those that none names are listed, not refused. */
class CoverageReportTest {
  @Test
  void testsNameOnlyRequirementsThatThereAre() throws IOException {
    CoverageReport report = CoverageReport.of(Path.of("..").toRealPath());
    Path list = Path.of("target", "uncovered.txt");
    Files.createDirectories(list.toAbsolutePath().getParent());
    Files.write(list, report.uncovered());
    System.out.println(report.summary() + " (the others: conformance/" + list + ")");
    assertThat(report.requirements()).hasSizeGreaterThan(200);
    assertThat(report.claims()).hasSizeGreaterThan(20);
    assertThat(report.unknown()).isEmpty();
  }

  @Test
  void annotationsAreReadHoweverTheyAreWritten() {
    String covers = "@Cov" + "ers";
    assertThat(CoverageReport.ids(covers + "(\"A-1\") x " + covers + "({\n  \"B-2\", \"C-3\"})"))
        .containsExactly("A-1", "B-2", "C-3");
  }
}
