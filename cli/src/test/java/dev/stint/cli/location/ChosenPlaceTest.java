package dev.stint.cli.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChosenPlaceTest {
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

  private ChosenPlace place(
      @Nullable Path data, @Nullable Path file, @Nullable String context, String variable) {
    return ChosenPlace.of(
        data, file, context, Map.of("HOME", home.toString(), "KUBECONFIG", variable));
  }

  private ChosenPlace.Data usual() {
    return new ChosenPlace.Data(new DataLocation(home.resolve(".local/share/stint")));
  }

  @Test
  void theFileOfKubectlAloneNamesNothing() {
    assertThat(place(null, null, null, "")).isEqualTo(usual());
  }

  @Test
  void aFlagDecides() throws IOException {
    Path file = Files.writeString(home.resolve("other"), kubeconfig("other"));
    assertThat(place(null, file, null, "/elsewhere"))
        .isEqualTo(new ChosenPlace.Far(file, null, "--kubeconfig", false));
    assertThat(place(Path.of("/d"), null, null, file.toString()))
        .isEqualTo(new ChosenPlace.Data(new DataLocation(Path.of("/d"))));
    assertThat(place(null, null, "production", ""))
        .isEqualTo(
            new ChosenPlace.Far(home.resolve(".kube/config"), "production", "--context", false));
    assertThatThrownBy(() -> place(Path.of("/d"), file, null, ""))
        .hasMessage("--data and --kubeconfig cannot be combined; remove one of them");
    assertThatThrownBy(() -> place(Path.of("/d"), null, "x", ""))
        .hasMessage("--data and --context cannot be combined; remove one of them");
  }

  @Test
  void theVariableNamesACluster() throws IOException {
    Path file = Files.writeString(home.resolve("other"), kubeconfig("other"));
    assertThat(place(null, null, null, file.toString()))
        .isEqualTo(new ChosenPlace.Far(file, null, "KUBECONFIG", true));
  }

  @Test
  void ofSeveralFilesTheFirstThatHasTheContextIsUsed() throws IOException {
    Path file = Files.writeString(home.resolve("other"), kubeconfig("other"));
    String both = home.resolve("missing") + ":" + file + ":" + home.resolve(".kube/config");
    assertThat(place(null, null, null, both))
        .isEqualTo(new ChosenPlace.Far(file, "other", "KUBECONFIG", true));
    assertThat(place(null, null, "production", both))
        .isEqualTo(
            new ChosenPlace.Far(home.resolve(".kube/config"), "production", "--context", false));
    assertThatThrownBy(() -> place(null, null, "none", both))
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith("--context: none of these files has the context \"none\": ");
  }

  @Test
  void theKubeconfigInADataDirectoryMeansThatDirectory() throws IOException {
    Path data = Files.createDirectories(home.resolve("data/store")).resolveSibling("kubeconfig");
    Files.writeString(data, kubeconfig("stint"));
    assertThat(place(null, null, null, data.toString())).isInstanceOf(ChosenPlace.Far.class);
    Files.createFile(data.resolveSibling("lock"));
    assertThat(place(null, null, null, data.toString()))
        .isEqualTo(new ChosenPlace.Data(new DataLocation(home.resolve("data"))));
    assertThat(place(null, data, null, ""))
        .isEqualTo(new ChosenPlace.Far(data, null, "--kubeconfig", false));
  }
}
