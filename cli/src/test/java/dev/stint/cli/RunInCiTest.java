package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code stint run} with several Jobs of which some fail while others run. */
@Execution(ExecutionMode.CONCURRENT)
class RunInCiTest {
  private static final Path FULL = Path.of("/dev/full");

  @TempDir private Path directory;

  private static String job(String name, String spec, String script) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s}
    spec: {%s, template: {spec: {restartPolicy: Never, terminationGracePeriodSeconds: 1, containers: [
      {name: main, image: unused, command: [sh, -c, '%s']}]}}}
    ---
    """
        .formatted(name, spec, script);
  }

  private Recorded run(int status, String jobs, String... more) throws Exception {
    Path file = Files.writeString(directory.resolve("jobs.yaml"), jobs);
    String[] args = new String[more.length + 3];
    args[0] = "run";
    args[1] = file.toString();
    args[2] = "--data=" + directory.resolve("data");
    System.arraycopy(more, 0, args, 3, more.length);
    Recorded recorded = Recorded.plain();
    assertThat(recorded.run(args)).as(recorded.errText()).isEqualTo(status);
    return recorded;
  }

  private static String endless(String name) {
    return job(name, "backoffLimit: 0", "sleep 600");
  }

  private static String bad() {
    return job(
        "bad",
        "completionMode: Indexed, completions: 2, parallelism: 2, backoffLimitPerIndex: 0",
        "echo line $JOB_COMPLETION_INDEX; test $JOB_COMPLETION_INDEX = 0");
  }

  @Test
  void aFailureStopsTheOtherJobsAndIsExplainedByItsLog() throws Exception {
    Recorded run =
        run(
            1,
            bad() + endless("slow"),
            "--fail-fast",
            "--follow",
            "--report=" + directory.resolve("r.xml"));
    assertThat(run.out()).contains("[bad 0 #1] line 0").contains("[bad 1 #1] line 1");
    List<String> lines = run.err();
    assertThat(lines)
        .contains("stint:     | line 1")
        .contains(
            "stint: slow: stopped, because bad failed (--fail-fast); the same command resumes it")
        .filteredOn(line -> line.startsWith("stint:   index 1, pod "))
        .hasSize(1);
    assertThat(Files.readString(directory.resolve("r.xml")))
        .contains("<testcase classname=\"bad\" name=\"index 0\"", "message=\"exit code 1\"")
        .contains("message=\"slow: stopped, because bad failed");
  }

  @Test
  void onATimeOutTheFailureIsReportedAndDecidesTheStatus() throws Exception {
    Recorded run = run(1, bad() + endless("slow"), "--timeout=6s");
    assertThat(run.errText())
        .containsSubsequence("stint: bad: Failed in ", "stint: slow: not finished within 6s");
  }

  @Test
  void severalJobsEndWithASummary() throws Exception {
    Recorded run = run(1, job("one", "backoffLimit: 0", "exit 0") + bad());
    assertThat(run.errText()).endsWith("stint: 2 Jobs: 1 Complete, 1 Failed (bad)\n");
  }

  @Test
  void aReportThatCannotBeWrittenLeavesTheOutcomeOfAFailedJob() throws Exception {
    assumeTrue(Files.exists(FULL), "NOT TESTED: no /dev/full");
    String job = job("one", "backoffLimit: 0", "exit 3");
    Recorded run = run(1, job, "-o", "json", "--report=" + FULL);
    assertThat(String.join("\n", run.out())).contains("\"reason\" : \"BackoffLimitExceeded\"");
    assertThat(run.err())
        .filteredOn(line -> line.startsWith("stint: --report"))
        .singleElement()
        .asString()
        .contains("/dev/full: cannot be written: No space left");
    Path report = directory.resolve("r.xml");
    assertThat(run(1, job, "--report=" + report).err()).contains("stint: one: already finished");
    assertThat(report).content().contains("<failure");
  }

  @Test
  void aReportThatCannotBeWrittenTurnsASuccessIntoAFault() throws Exception {
    assumeTrue(Files.exists(FULL), "NOT TESTED: no /dev/full");
    Recorded run = run(2, job("one", "backoffLimit: 0", "exit 0"), "-o=yaml", "--report=" + FULL);
    assertThat(String.join("\n", run.out())).contains("CompletionsReached");
  }

  @Test
  void aReportThatThisUserMayNotWriteIsRefusedBeforeAnythingRuns() throws Exception {
    Path locked = Files.createDirectory(directory.resolve("locked"));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeFalse(Files.isWritable(locked), "NOT TESTED: root may write everywhere");
    Recorded run = run(2, bad(), "--report=" + locked.resolve("r.xml"));
    assertThat(run.err())
        .containsExactly("stint: --report %s/r.xml: you may not write it".formatted(locked));
  }

  @Test
  void flagsThatMakeNoSenseAreRefused() {
    Recorded recorded = Recorded.withInput(bad());
    assertThat(recorded.run("run", "-", "-f", "-o", "json", "--data=" + directory)).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly(
            "stint: --follow prints logs on standard output, as -o json does; remove one of them");
    Recorded nowhere = Recorded.withInput(bad());
    Path missing = directory.resolve("missing/r.xml");
    assertThat(nowhere.run("run", "-", "--report=" + missing, "--data=" + directory)).isEqualTo(2);
    assertThat(nowhere.err())
        .containsExactly("stint: --report " + missing + ": is not a file in an existing directory");
  }
}
