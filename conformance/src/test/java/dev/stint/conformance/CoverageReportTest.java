package dev.stint.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests name only existing requirements. Every requirement of the four proposals is named by some
 * test, or has its reason in {@code not-yet.tsv}. Optional extensions are listed only.
 */
class CoverageReportTest {
  @Test
  void testsNameOnlyExistingRequirements() throws IOException {
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
  void everyRequirementOfTheProposalsIsNamedByATestOrHasAReasonNotToBe() throws IOException {
    CoverageReport report = CoverageReport.of(Path.of("..").toRealPath());
    Map<String, String> reasons = reasons();
    assertThat(reasons).isNotEmpty();
    assertThat(reasons.values()).allMatch(reason -> reason.length() > 20);
    assertThat(report.missing(reasons.keySet())).as("neither covered nor excused").isEmpty();
    assertThat(report.needlesslyExcused(reasons.keySet()))
        .as("excused, but covered or unknown")
        .isEmpty();
  }

  private static Map<String, String> reasons() throws IOException {
    Map<String, String> reasons = new LinkedHashMap<>();
    Files.readAllLines(Path.of("src", "test", "resources", "not-yet.tsv")).stream()
        .skip(1)
        .map(line -> line.split("\t", 2))
        .forEach(columns -> reasons.put(columns[0], columns[1]));
    return reasons;
  }

  @Test
  void uncoveredRequirementsAndNeedlessExcusesAreReported() {
    CoverageReport report =
        new CoverageReport(
            Set.of("TR-01", "SP-01", "BI-01", "MB-01", "EX-01"), Map.of("TR-01", Set.of("A.java")));
    assertThat(report.missing(Set.of("SP-01"))).containsExactlyInAnyOrder("BI-01", "MB-01");
    assertThat(report.needlesslyExcused(Set.of("SP-01", "TR-01", "TR-99")))
        .containsExactly("TR-01", "TR-99");
  }

  @Test
  void annotationsAreReadHoweverTheyAreWritten() {
    String covers = "@Cov" + "ers";
    assertThat(CoverageReport.ids(covers + "(\"A-1\") x " + covers + "({\n  \"B-2\", \"C-3\"})"))
        .containsExactly("A-1", "B-2", "C-3");
  }
}
