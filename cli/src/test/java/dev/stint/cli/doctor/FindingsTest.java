package dev.stint.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.doctor.Finding.State;
import dev.stint.cli.location.DataLocation;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.runner.spec.ResourceAmount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The finding about each fact, with its advice. */
class FindingsTest {
  private static final Disk GOOD = new Disk("ext4", 50L << 30, Duration.ofMillis(2), Duration.ZERO);

  private static List<State> states(List<Finding> findings) {
    return findings.stream().map(Finding::state).toList();
  }

  @Test
  void aLocalDiskThatSyncsIsFine() {
    assertThat(GOOD.findings()).allMatch(each -> each.state() == State.OK);
    assertThat(GOOD.findings())
        .extracting(Finding::found)
        .contains("a write is on disk after 2.00ms");
  }

  @Test
  void disksThatLoseDataAreNoted() {
    assertThat(
            states(new Disk("tmpfs", 50L << 30, Duration.ofNanos(800), Duration.ZERO).findings()))
        .containsExactly(State.NOTE, State.OK, State.OK, State.OK);
    assertThat(new Disk("nfs4", 1 << 20, Duration.ofMillis(80), Duration.ofSeconds(9)).findings())
        .allMatch(each -> each.state() == State.NOTE)
        .extracting(Finding::advice)
        .anyMatch(advice -> String.valueOf(advice).contains("--durability relaxed"));
    assertThat(new Disk("ext4", 50L << 30, Duration.ofNanos(900), Duration.ZERO).findings().get(2))
        .matches(each -> each.found().contains("which no disk can do"));
  }

  @Test
  void isolationSaysWhatToDo() {
    Isolation all = new Isolation(true, Optional.empty(), Optional.empty(), Optional.empty(), 2);
    assertThat(all.findings()).allMatch(each -> each.state() == State.OK);
    Isolation none =
        new Isolation(
            false,
            Optional.of("this system does not let this user mount"),
            Optional.of("this user cannot write; run Stint as root"),
            Optional.of("only root can; run stint as root, or remove it"),
            1);
    assertThat(none.findings())
        .allMatch(each -> each.state() == State.NOTE && each.advice() != null)
        .extracting(Finding::advice)
        .contains("for stint up --pod-user: only root can; run stint as root");
    assertThat(none.findings())
        .extracting(Finding::found)
        .anyMatch(found -> found.endsWith("not enforced (control groups, version 1)"));
    Isolation nowhere =
        new Isolation(true, Optional.empty(), Optional.of("there are none"), Optional.empty(), 0);
    assertThat(nowhere.findings())
        .extracting(Finding::found)
        .anyMatch(found -> found.endsWith("not enforced (no control groups)"));
  }

  @Test
  void limitsOfProcessesAreTheHardOnes() {
    String limits =
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             100                  unlimited            processes
        Max open files            1024                 2048                 files
        """;
    assertThat(ProcessLimits.findings(limits))
        .extracting(each -> each.state() + " " + each.subject() + ": " + each.found())
        .containsExactly("NOTE open files: at most 2048", "OK processes: unlimited");
  }

  @Test
  void aTrialThatFailsIsAFaultWithItsReason() {
    Finding failed =
        TrialRun.verdict(2, Duration.ofSeconds(1), "stint: one\nstint: cannot run processes: x\n");
    assertThat(failed.isFault()).isTrue();
    assertThat(failed.found()).isEqualTo("a Job of one pod did not run: cannot run processes: x");
    assertThat(TrialRun.verdict(0, Duration.ofMillis(300), "").found()).endsWith("in 300ms");
  }

  @Test
  void dataDirectoriesTellWhoHasThem(@TempDir Path scratch) throws Exception {
    Path path = scratch.resolve("data");
    assertThat(DataState.of(new DataLocation(path)).found())
        .contains("which the first run creates");
    Files.createDirectory(path);
    assertThat(DataState.of(new DataLocation(path)).found()).contains("without state yet");
    try (DataDirectory held = DataDirectory.open(path)) {
      Finding inUse = DataState.of(new DataLocation(held.path()));
      assertThat(inUse.state()).isEqualTo(State.OK);
      assertThat(inUse.found()).contains("open in pid " + ProcessHandle.current().pid());
    }
    assertThat(DataState.of(new DataLocation(path)).found())
        .endsWith("format 1, nobody has it open");
    Files.writeString(path.resolve("VERSION"), "99\n");
    assertThat(DataState.of(new DataLocation(path)))
        .matches(Finding::isFault)
        .matches(each -> each.found().contains("has format 99"));
  }

  @Test
  void resourcesAreForPeople() {
    assertThat(Examination.machine(new ResourceAmount(1500, 3L << 30)).found())
        .isEqualTo("pods may request 1.5 cores and 3.0Gi");
    assertThat(Examination.machine(new ResourceAmount(20000, 24L << 30)).found())
        .isEqualTo("pods may request 20 cores and 24Gi");
    assertThat(Examination.gpus(Map.of("nvidia.com/gpu", 2L, "amd.com/gpu", 0L)).found())
        .isEqualTo("nvidia.com/gpu: 2");
    assertThat(Examination.gpus(Map.of()).state()).isEqualTo(State.NOTE);
  }
}
