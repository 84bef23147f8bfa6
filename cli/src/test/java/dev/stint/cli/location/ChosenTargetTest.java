package dev.stint.cli.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChosenTargetTest {
  @TempDir private Path home;

  @BeforeEach
  void aFileOfKubectl() throws IOException {
    Files.createDirectories(home.resolve(".kube"));
    Files.writeString(home.resolve(".kube/config"), kubeconfig("production"));
  }

  private static String kubeconfig(String context) {
    return """
    apiVersion: v1
    kind: Config
    current-context: %s
    contexts: [{name: %s, context: {cluster: c, user: u}}]
    clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
    users: [{name: u, user: {token: x}}]
    """
        .formatted(context, context);
  }

  private ChosenTarget target(
      @Nullable Path data, @Nullable Path file, @Nullable String context, String variable) {
    return ChosenTarget.of(
        data, file, context, Map.of("HOME", home.toString(), "KUBECONFIG", variable));
  }

  private ChosenTarget.Data usual() {
    return new ChosenTarget.Data(new DataLocation(home.resolve(".local/share/stint")));
  }

  @Test
  void theFileOfKubectlAloneNamesNothing() {
    assertThat(target(null, null, null, "")).isEqualTo(usual());
  }

  @Test
  void aVariableThatIsNoPathIsNamed() {
    assertThatThrownBy(() -> target(null, null, null, "/jos\0/config"))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith("KUBECONFIG is no path in this locale");
  }

  @Test
  void aFlagDecides() throws IOException {
    Path file = Files.writeString(home.resolve("other"), kubeconfig("other"));
    assertThat(target(null, file, null, "/elsewhere"))
        .isEqualTo(new ChosenTarget.Far(List.of(file), null, "--kubeconfig", false));
    assertThat(target(Path.of("/d"), null, null, file.toString()))
        .isEqualTo(new ChosenTarget.Data(new DataLocation(Path.of("/d"))));
    assertThat(target(null, null, "production", ""))
        .isEqualTo(
            new ChosenTarget.Far(
                List.of(home.resolve(".kube/config")), "production", "--context", false));
    assertThatThrownBy(() -> target(Path.of("/d"), file, null, ""))
        .hasMessage("--data and --kubeconfig cannot be combined; remove one of them");
    assertThatThrownBy(() -> target(Path.of("/d"), null, "x", ""))
        .hasMessage("--data and --context cannot be combined; remove one of them");
  }

  @Test
  void theVariableNamesACluster() throws IOException {
    Path file = Files.writeString(home.resolve("other"), kubeconfig("other"));
    assertThat(target(null, null, null, file.toString()))
        .isEqualTo(new ChosenTarget.Far(List.of(file), null, "KUBECONFIG", true));
  }

  @Test
  void theVariableNamesSeveralFiles() {
    List<Path> both = List.of(home.resolve("missing"), home.resolve(".kube/config"));
    String variable = both.getFirst() + "::" + both.getLast();
    assertThat(target(null, null, null, variable))
        .isEqualTo(new ChosenTarget.Far(both, null, "KUBECONFIG", true));
    assertThat(target(null, null, "production", variable))
        .isEqualTo(new ChosenTarget.Far(both, "production", "--context", false));
  }

  @Test
  void theKubeconfigInADataDirectoryMeansThatDirectory() throws IOException {
    Path data = Files.createDirectories(home.resolve("data/store")).resolveSibling("kubeconfig");
    Files.writeString(data, kubeconfig("stint"));
    assertThat(target(null, null, null, data.toString())).isInstanceOf(ChosenTarget.Far.class);
    Files.createFile(data.resolveSibling("lock"));
    assertThat(target(null, null, null, data.toString()))
        .isEqualTo(new ChosenTarget.Data(new DataLocation(home.resolve("data"))));
    assertThat(target(null, data, null, ""))
        .isEqualTo(new ChosenTarget.Far(List.of(data), null, "--kubeconfig", false));
  }
}
