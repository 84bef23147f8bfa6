package dev.stint.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.harness.TestTime;
import dev.stint.model.Kind;
import dev.stint.store.StoreOptions;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigReaderTest {
  @TempDir Path dir;

  @Test
  void theClusterAndTheCredentialsOfTheContextAreUsed() throws Exception {
    try (ApiFront front = new ApiFront(StoreOptions.defaults());
        KubeCluster cluster = KubeCluster.of(file(front.url()), "that", new TestTime())) {
      KubeClusterTest.answer(cluster.list(Kind.JOB, null));
      assertThat(front.requests.getFirst().authorization()).isEqualTo("Bearer secret");
      assertThat(front.requests.getFirst().userAgent()).isEqualTo("stint");
    }
  }

  /** As when a user logs in again, or a token is renewed while we run. */
  @Test
  void theFileIsReadAgainIfTheApiRejectsTheToken() throws Exception {
    try (ApiFront front = new ApiFront(StoreOptions.defaults())) {
      Path file = file(front.url());
      try (KubeCluster cluster = KubeCluster.of(file, "that", new TestTime())) {
        KubeClusterTest.answer(cluster.list(Kind.JOB, null));
        Files.writeString(file, Files.readString(file).replace("secret", "renewed"));
        front.answers.add(
            new ApiFront.Answer(401, "{\"kind\":\"Status\",\"reason\":\"Unauthorized\"}"));
        KubeClusterTest.answer(cluster.list(Kind.JOB, null));
        KubeClusterTest.answer(cluster.list(Kind.POD, null));
        assertThat(front.requests.getLast().authorization()).isEqualTo("Bearer renewed");
      }
    }
  }

  @Test
  void theCurrentContextIsTheDefault() throws Exception {
    assertThat(
            KubeconfigReader.read(List.of(file("http://127.0.0.1:1")), null, new TestTime())
                .getMasterUrl())
        .isEqualTo("http://127.0.0.1:2/");
  }

  /** A busy API answers late; kube-apiserver itself gives up after a minute. */
  @Test
  void aRequestMayTakeAsLongAsTheApiWorksOnIt() throws Exception {
    assertThat(
            KubeconfigReader.read(List.of(file("http://127.0.0.1:1")), null, new TestTime())
                .getRequestTimeout())
        .isEqualTo(60_000);
  }

  /** As after {@code touch ~/.kube/config}; kubectl passes over such a file. */
  @Test
  void aFileThatSaysNothingIsPassedOver() throws Exception {
    Path said = file("http://127.0.0.1:1");
    Path empty = Files.writeString(dir.resolve("empty"), "");
    Path comments = Files.writeString(dir.resolve("comments"), "# none yet\n\n");
    List<Path> files = List.of(empty, said, comments, Path.of("/dev/null"));
    assertThat(KubeconfigReader.read(files, "that", new TestTime()).getMasterUrl())
        .isEqualTo("http://127.0.0.1:1/");
  }

  /** Else a command would act with all rights of an administrator who asked for fewer. */
  @Test
  void theUserActsAsTheOneWhomTheFileNames() throws Exception {
    Config config = read("as: bob, as-groups: [dev, ops], as-user-extra: {reason: [test]}");
    assertThat(config.getImpersonateUsername()).isEqualTo("bob");
    assertThat(config.getImpersonateGroups()).containsExactly("dev", "ops");
    assertThat(config.getImpersonateExtras()).isEqualTo(Map.of("reason", List.of("test")));
    assertThat(read("token: t").getImpersonateUsername()).isNull();
  }

  @Test
  void anImpersonationThatCannotBeCarriedOutIsRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> read("as: bob, as-uid: u-1"))
        .withMessageEndingWith(": as-uid is not supported; remove it, or use another context");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> read("as-groups: [dev]"))
        .withMessageContaining("need \"as\"");
  }

  private Config read(String user) throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("as"),
            """
            clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            users: [{name: u, user: {%s}}]
            """
                .formatted(user));
    return KubeconfigReader.read(List.of(file), "x", new TestTime());
  }

  @Test
  void aUserWithoutCredentialsIsTheOneOfTheFirstFile() throws Exception {
    String cluster =
        """
        clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        users:
        - name: u
        """;
    Path first = Files.writeString(dir.resolve("first"), cluster);
    Path second =
        Files.writeString(dir.resolve("second"), "users: [{name: u, user: {token: other}}]\n");
    Config config = KubeconfigReader.read(List.of(first, second), "x", new TestTime());
    assertThat(config.getOauthToken()).isNull();
  }

  @Test
  void aMissingContextIsNotReplacedByAnother() throws Exception {
    Path file = file("http://127.0.0.1:1");
    assertThat(complaint(file, "other"))
        .isEqualTo(file + ": has no context \"other\"; its contexts are: that, this");
  }

  @Test
  void invalidKubeconfigsAreReportedInOneLine() throws Exception {
    Path missing = dir.resolve("missing");
    assertThat(complaint(missing, null))
        .isEqualTo(missing + ": cannot be read; name an existing kubeconfig file");
    Path text = Files.writeString(dir.resolve("text"), "a: [b\n");
    assertThat(complaint(text, null))
        .startsWith(text + ": is not a valid kubeconfig file: ")
        .doesNotContain("\n");
    Path other = Files.writeString(dir.resolve("other"), "s3cret\n");
    assertThat(complaint(other, null))
        .isEqualTo(
            other
                + ": is not a valid kubeconfig file: it is not a list of clusters, users and"
                + " contexts");
    Path empty = Files.writeString(dir.resolve("empty"), "apiVersion: v1\nkind: Config\n");
    assertThat(complaint(empty, null))
        .isEqualTo(empty + ": has no current-context; its contexts are: (none)");
  }

  /** A default could be another cluster, and another user's requests. */
  @Test
  void whatAContextNamesMustExist() throws Exception {
    Path file =
        named(
            "config",
            """
            clusters: [{name: blank, cluster: {}}]
            users: [{name: me, user: {token: secret}}]
            contexts:
            - {name: a, context: {cluster: gone, user: me}}
            - {name: b, context: {user: me}}
            - {name: c, context: {cluster: blank, user: me}}
            """);
    assertThat(complaint(file, "a"))
        .isEqualTo(file + ": the cluster of the context \"a\" does not exist: \"gone\"");
    assertThat(complaint(file, "b"))
        .isEqualTo(file + ": the cluster of the context \"b\" does not exist");
    assertThat(complaint(file, "c"))
        .isEqualTo(file + ": the cluster of the context \"c\" has no server: \"blank\"");
    Path other =
        named(
            "other",
            """
            clusters: [{name: here, cluster: {server: 'http://127.0.0.1:1'}}]
            contexts:
            - {name: a, context: {cluster: here, user: gone}}
            - {name: b, context: {cluster: here}}
            """);
    assertThat(complaint(other, "a"))
        .isEqualTo(other + ": the user of the context \"a\" does not exist: \"gone\"");
    assertThat(KubeconfigReader.read(List.of(other), "b", new TestTime()).getMasterUrl())
        .isEqualTo("http://127.0.0.1:1/");
  }

  @Test
  void theFirstFileThatHasAnEntryOrACurrentContextDecides() throws Exception {
    Path contexts =
        named(
            "one/config",
            """
            contexts: [{name: that, context: {cluster: here, user: me}}]
            clusters: [{name: other, cluster: {server: 'http://127.0.0.1:3'}}]
            """);
    Path entries =
        named(
            "two/config",
            """
            current-context: that
            clusters: [{name: here, cluster: {server: 'https://127.0.0.1:1', certificate-authority: ca.crt}}]
            users: [{name: me, user: {tokenFile: token}}]
            contexts: [{name: that, context: {cluster: other, user: me}}]
            """);
    Files.writeString(entries.resolveSibling("token"), "secret");
    List<Path> all = List.of(dir.resolve("missing"), contexts, entries, file("http://127.0.0.1:4"));
    Config found = KubeconfigReader.read(all, null, new TestTime());
    assertThat(found.getMasterUrl()).isEqualTo("https://127.0.0.1:1/");
    assertThat(found.getCaCertFile()).isEqualTo(entries.resolveSibling("ca.crt").toString());
    assertThat(found.getOauthTokenProvider().getToken()).isEqualTo("secret");
    assertThat(KubeconfigReader.read(all, "this", new TestTime()).getMasterUrl())
        .isEqualTo("https://127.0.0.1:1/");
  }

  @Test
  void faultsOfSeveralFilesNameAllOfThem() throws Exception {
    Path one = named("one", "current-context: gone\n");
    Path two = file("http://127.0.0.1:1");
    assertThat(complaint(List.of(one, two), null))
        .isEqualTo(one + ", " + two + ": has no context \"gone\"; its contexts are: that, this");
    Path missing = dir.resolve("missing");
    assertThat(complaint(List.of(missing, missing), null))
        .isEqualTo(missing + ", " + missing + ": cannot be read; name an existing kubeconfig file");
  }

  private Path named(String name, String entries) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "apiVersion: v1\nkind: Config\n" + entries);
  }

  private static String complaint(Path file, @Nullable String context) {
    return complaint(List.of(file), context);
  }

  private static String complaint(List<Path> files, @Nullable String context) {
    String[] message = new String[1];
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> KubeconfigReader.read(files, context, new TestTime()))
        .satisfies(complaint -> message[0] = complaint.getMessage());
    return message[0];
  }

  private Path file(String url) throws IOException {
    return Files.writeString(
        dir.resolve("config"),
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: here
          cluster: {server: 'http://127.0.0.1:2'}
        - name: there
          cluster: {server: '%s'}
        users:
        - name: me
          user: {token: secret}
        contexts:
        - name: this
          context: {cluster: here, user: me}
        - name: that
          context: {cluster: there, user: me}
        current-context: this
        """
            .formatted(url));
  }
}
