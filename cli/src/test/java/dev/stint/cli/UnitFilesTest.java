package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The units of {@code deploy/systemd}, as systemd reads them. */
class UnitFilesTest {
  private static final Path UNITS = Path.of("../deploy/systemd");
  private static final Path VERIFIER = Path.of("/usr/bin/systemd-analyze");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"system", "user"})
  void systemdHasNoComplaint(String manager) throws Exception {
    assumeTrue(Files.isExecutable(VERIFIER), "NOT TESTED: systemd-analyze is not installed");
    Path unit = directory.resolve("stint.service");
    Files.writeString(unit, unit(manager).replace("/usr/local/bin/stint", "/bin/true"));
    ProcessBuilder builder =
        new ProcessBuilder(VERIFIER.toString(), "verify", "--" + manager, unit.toString())
            .redirectErrorStream(true);
    builder.environment().put("XDG_RUNTIME_DIR", directory.toString());
    Process verify = builder.start();
    String said = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(verify.waitFor()).as(said).isZero();
    assertThat(said).doesNotContain("stint.service");
  }

  @ParameterizedTest
  @ValueSource(strings = {"system", "user"})
  void aStopReachesStintAloneAndAPodOutOfMemoryDoesNotEndTheService(String manager)
      throws IOException {
    assertThat(unit(manager).lines())
        .contains(
            "KillMode=mixed",
            "OOMPolicy=continue",
            "SuccessExitStatus=143",
            "Delegate=cpu memory pids");
  }

  /** A full disk, or an address that comes late, lasts longer than five starts. */
  @ParameterizedTest
  @ValueSource(strings = {"system", "user"})
  void aServiceThatCannotStartIsTriedForEver(String manager) throws IOException {
    assertThat(unit(manager))
        .containsSubsequence("[Unit]\n", "\nStartLimitIntervalSec=0\n", "[Service]\n")
        .containsSubsequence("[Service]\n", "\nRestart=on-failure\nRestartSec=5\n");
  }

  @Test
  void theMachinesServiceWaitsForTheNetwork() throws IOException {
    assertThat(unit("system").lines())
        .contains("Wants=network-online.target", "After=network-online.target");
  }

  /** Systemd stops in the reverse order, and a daemon that is away cannot end the pods. */
  @ParameterizedTest
  @ValueSource(strings = {"system", "user"})
  void aServiceStopsBeforeTheDaemonsThatRunItsContainers(String manager) throws IOException {
    assertThat(unit(manager).lines())
        .contains("After=docker.service docker.socket podman.service podman.socket");
  }

  private static String unit(String manager) throws IOException {
    return Files.readString(UNITS.resolve(manager).resolve("stint.service"));
  }
}
