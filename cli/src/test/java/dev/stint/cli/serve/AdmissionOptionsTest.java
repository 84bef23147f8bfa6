package dev.stint.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.flag.FlagConverters;
import dev.stint.cli.output.UserException;
import dev.stint.model.podsecurity.PodSecuritySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Flags and the file that configure admission. */
class AdmissionOptionsTest {
  private static final String HEAD =
      "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n";

  @TempDir private Path directory;

  @Test
  void byDefaultLabelsDecide() {
    assertThat(parse()).isEqualTo(PodSecuritySettings.LABELS_ONLY);
  }

  @Test
  void byDefaultContainersMeetTheBaseline() {
    AdmissionOptions options = new AdmissionOptions();
    FlagConverters.register(new CommandLine(options)).parseArgs();
    assertThat(options.podSecurity(true).defaults().enforce()).hasToString("baseline:latest");
    FlagConverters.register(new CommandLine(options))
        .parseArgs("--pod-security-default=privileged");
    assertThat(options.podSecurity(true)).isEqualTo(PodSecuritySettings.LABELS_ONLY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"baseline", "restricted:v1.30", "privileged:latest"})
  void aLevelIsEnforcedByDefault(String level) {
    PodSecuritySettings settings = parse("--pod-security-default=" + level);
    assertThat(settings.defaults().enforce().toString()).startsWith(level);
    assertThat(settings.defaults().warn().isPrivileged()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "baseline:1.30", ":v1.30", "baseline:"})
  void anUnknownLevelIsRefused(String level) {
    assertThatThrownBy(() -> parse("--pod-security-default=" + level))
        .isInstanceOf(UserException.class)
        .hasMessage(
            "--pod-security-default: \"%s\" is not a level such as baseline or restricted:v1.36",
            level);
  }

  @Test
  void aFileHasDefaultsAndExemptions() throws IOException {
    Path file =
        write(
            "admission.yaml",
            HEAD
                + """
                plugins:
                  - name: PodSecurity
                    configuration:
                      apiVersion: pod-security.admission.config.k8s.io/v1
                      kind: PodSecurityConfiguration
                      defaults:
                        enforce: baseline
                        warn: restricted
                      exemptions:
                        namespaces: [kube-system]
                """);
    PodSecuritySettings settings = parse("--admission-control-config-file=" + file);
    assertThat(settings.defaults().enforce()).hasToString("baseline:latest");
    assertThat(settings.exemptNamespaces()).containsExactly("kube-system");
    PodSecuritySettings stricter =
        parse("--admission-control-config-file=" + file, "--pod-security-default=restricted");
    assertThat(stricter.defaults().enforce()).hasToString("restricted:latest");
    assertThat(stricter.defaults().warn()).hasToString("restricted:latest");
    assertThat(stricter.exemptNamespaces()).containsExactly("kube-system");
  }

  @Test
  void aPluginMayHaveAFileOfItsOwn() throws IOException {
    write("pods.yaml", "defaults: {audit: baseline}\n");
    Path file = write("a.yaml", HEAD + "plugins: [{name: PodSecurity, path: pods.yaml}]\n");
    assertThat(parse("--admission-control-config-file=" + file).defaults().audit())
        .hasToString("baseline:latest");
  }

  @Test
  void aFileThatMeansNothingIsRefusedInOneLine() throws IOException {
    assertFault("kind: Pod\n", "must be an AdmissionConfiguration of apiserver.config.k8s.io/v1");
    assertFault(HEAD + "plugins: [{name: Other}]\n", "plugins[0].name: ");
    assertFault(
        HEAD + "plugins: [{name: PodSecurity, configuration: {defaults: {enforce: x}}}]\n",
        "defaults[enforce]: must be one of privileged, baseline, restricted");
    assertFault("{", "");
    assertThatThrownBy(() -> parse("--admission-control-config-file=nowhere"))
        .hasMessage("--admission-control-config-file: nowhere does not exist");
  }

  private void assertFault(String text, String fault) throws IOException {
    Path file = write("faulty.yaml", text);
    assertThatThrownBy(() -> parse("--admission-control-config-file=" + file))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("--admission-control-config-file: " + file)
        .hasMessageContaining(fault);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static PodSecuritySettings parse(String... arguments) {
    AdmissionOptions options = new AdmissionOptions();
    FlagConverters.register(new CommandLine(options)).parseArgs(arguments);
    return options.podSecurity(false);
  }
}
