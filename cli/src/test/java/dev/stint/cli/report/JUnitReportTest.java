package dev.stint.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.PodAttempts;
import dev.stint.model.KubeObject;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class JUnitReportTest {
  private static final KubeObject JOB =
      JobBuilder.indexed("suite")
          .completions(3)
          .status("'completedIndexes':'0','failedIndexes':'1','succeeded':1")
          .build();

  private static Stream<ContainerAttemptView> attempt(int index, int exitCode) {
    String status =
        """
        'containerStatuses':[{'name':'main','restartCount':0,'state':{'terminated':{'exitCode':%d,
          'reason':'%s','startedAt':'2026-01-01T00:00:00Z','finishedAt':'2026-01-01T00:00:02Z'}}}]
        """
            .formatted(exitCode, exitCode == 0 ? "Completed" : "OOMKilled");
    return PodAttempts.of(PodBuilder.of(JOB, "suite-" + index).index(index).status(status).build())
        .stream();
  }

  private static Element parsed(JUnitReport.Suite suite) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(JUnitReport.text(List.of(suite)))))
        .getDocumentElement();
  }

  private static Element element(Element parent, String tag, int number) {
    return (Element) parent.getElementsByTagName(tag).item(number);
  }

  @Test
  void eachIndexIsATestCase() throws Exception {
    List<ContainerAttemptView> attempts = Stream.concat(attempt(0, 0), attempt(1, 137)).toList();
    Element report =
        parsed(
            JUnitReport.suite(
                JOB,
                attempts,
                _ -> Optional.empty(),
                _ -> List.of("a < b & \"c\"", "\u001b[31mred\ud800"),
                "x"));
    Element suite = element(report, "testsuite", 0);
    assertThat(suite.getAttribute("tests")).isEqualTo("3");
    assertThat(suite.getAttribute("failures")).isEqualTo("1");
    assertThat(suite.getAttribute("skipped")).isEqualTo("1");
    assertThat(element(suite, "testcase", 0).getAttribute("name")).isEqualTo("index 0");
    assertThat(element(suite, "testcase", 0).getAttribute("time")).isEqualTo("2.000");
    Element failure = element(element(suite, "testcase", 1), "failure", 0);
    assertThat(failure.getAttribute("message")).isEqualTo("exit code 137, OOMKilled");
    assertThat(failure.getTextContent()).isEqualTo("a < b & \"c\"\n\\u001b[31mred\ufffd");
    assertThat(element(suite, "skipped", 0)).isNotNull();
  }

  @Test
  void aJobWithoutIndexesIsOneTestCase() throws Exception {
    KubeObject job = JobBuilder.named("plain").completions(1).build();
    Element passed =
        parsed(JUnitReport.suite(job, List.of(), _ -> Optional.empty(), _ -> List.of(), ""));
    assertThat(element(passed, "testcase", 0).getAttribute("name")).isEqualTo("plain");
    assertThat(element(passed, "failure", 0)).isNull();
    Element late =
        parsed(
            JUnitReport.suite(
                job, List.of(), _ -> Optional.empty(), _ -> List.of(), "not finished"));
    assertThat(element(late, "failure", 0).getAttribute("message")).isEqualTo("not finished");
  }

  @Test
  void aJobThatFailedWithoutAFailedIndexHasACaseOfItsOwn() throws Exception {
    Element report =
        parsed(
            JUnitReport.suite(JOB, List.of(), _ -> Optional.empty(), _ -> List.of(), "too late"));
    assertThat(report.getElementsByTagName("testcase").getLength()).isEqualTo(4);
    assertThat(element(report, "failure", 0).getAttribute("message")).isEqualTo("too late");
  }

  @Test
  void aTestCaseNamesItsItem() throws Exception {
    IntFunction<Optional<String>> items =
        index -> Optional.of(index == 0 ? "a <\"&\ud800" : "x".repeat(500));
    List<ContainerAttemptView> attempts = attempt(1, 0).map(each -> each.withItem("b")).toList();
    Element report = parsed(JUnitReport.suite(JOB, attempts, items, _ -> List.of(), ""));
    assertThat(element(report, "testcase", 0).getAttribute("name"))
        .isEqualTo("index 0: a <\"&\ufffd");
    assertThat(element(report, "testcase", 1).getAttribute("name")).isEqualTo("index 1: b");
    assertThat(element(report, "testcase", 2).getAttribute("name")).hasSize(209).endsWith("x…");
  }
}
