package dev.stint.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.audit.AuditFormat;
import dev.stint.apiserver.audit.AuditPolicy;
import dev.stint.apiserver.audit.AuditSettings;
import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.output.UserException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class AuditOptionsTest {
  private static final OutputStream OUT = OutputStream.nullOutputStream();

  @TempDir private Path directory = Path.of("");

  @Test
  void withoutAPathNothingIsAudited() {
    assertThat(settings()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--audit-log", "--audit-log-path"})
  void aPathIsEnough(String flag) {
    assertThat(settings(flag, "a.log")).isEqualTo(AuditSettings.of("a.log"));
  }

  @Test
  void theFlagsOfKubernetesAreUnderstood() throws Exception {
    Path policy = policy("{level: Metadata}");
    AuditSettings settings =
        settings(
            "--audit-log-path=-",
            "--audit-policy-file=" + policy,
            "--audit-log-format=legacy",
            "--audit-log-maxsize=5",
            "--audit-log-maxbackup=3",
            "--audit-log-maxage=7");
    assertThat(settings).isNotNull();
    assertThat(settings.policy()).isNotSameAs(AuditPolicy.DEFAULT);
    assertThat(settings)
        .isEqualTo(new AuditSettings("-", OUT, settings.policy(), AuditFormat.LEGACY, 5, 3, 7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--audit-policy-file=p | --audit-policy-file: needs --audit-log-path FILE too",
        "--audit-log-path=a --audit-policy-file=none.yaml | --audit-policy-file: none.yaml: no such file",
        "--audit-log-path=a --audit-log-maxage=-1 | --audit-log-maxage: must be 0 or more, found -1",
        "--audit-log-maxsize=-1 | --audit-log-maxsize: must be 0 or more, found -1",
      })
  void wrongFlagsAreRefused(String flags, String message) {
    assertThatThrownBy(() -> settings(flags.split(" ")))
        .isInstanceOf(UserException.class)
        .hasMessage(message);
  }

  @Test
  void aBadPolicyIsRefusedWithItsPath() throws Exception {
    Path policy = policy("{level: All}");
    assertThatThrownBy(() -> settings("--audit-log-path=a", "--audit-policy-file=" + policy))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith(
            "--audit-policy-file: " + policy + ": rules[0].level: unknown: All");
  }

  private Path policy(String rule) throws Exception {
    return Files.writeString(
        directory.resolve("policy.yaml"),
        "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [" + rule + "]\n");
  }

  private static @Nullable AuditSettings settings(String... flags) {
    AuditOptions options = new AuditOptions();
    FlagConverters.register(new CommandLine(options)).parseArgs(flags);
    return options.settings(OUT);
  }
}
