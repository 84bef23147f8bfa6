package dev.stint.cli.keys;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReencryptCommandTest {
  private static final String SECRET = "/registry/secrets/default/pass";
  private static final String JOB = "/registry/batch/jobs/default/uses-it";

  @TempDir private Path dir = Path.of("");
  private Path job = Path.of("");

  @BeforeEach
  void writeJob() throws IOException {
    job =
        Files.writeString(
            dir.resolve("job.yaml"),
            """
            {apiVersion: v1, kind: Secret, metadata: {name: pass}, stringData: {word: "open-sesame"}}
            ---
            apiVersion: batch/v1
            kind: Job
            metadata: {name: uses-it}
            spec:
              backoffLimit: 0
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: x
                    command: [sh, -c, 'test "$WORD" = open-sesame']
                    env: [{name: WORD, valueFrom: {secretKeyRef: {name: pass, key: word}}}]
            """);
  }

  @Test
  void aJobRunsWithAnEncryptedSecretWhichAnotherKeyCanReplace() throws IOException {
    Path first = config("first.yaml", "secrets", key("aescbc", "one", 1));
    assertThat(stint("run", first).err()).noneMatch(line -> line.contains("decrypt"));
    assertThat(stored().get(SECRET)).startsWith("k8s:enc:aescbc:v1:one:");
    assertThat(stored().get(JOB)).startsWith("{");

    Path both = config("both.yaml", "secrets", key("secretbox", "two", 2), key("aescbc", "one", 1));
    Recorded again = stint("reencrypt", both);
    assertThat(again.out()).containsExactly("1 object encrypted again");
    assertThat(stored().get(SECRET)).startsWith("k8s:enc:secretbox:v1:two:");

    Path second = config("second.yaml", "secrets", key("secretbox", "two", 2));
    assertThat(stint("reencrypt", second).out()).containsExactly("0 objects encrypted again");
    assertThat(stint("run", second, "--replace").err())
        .noneMatch(line -> line.contains("decrypt"))
        .anyMatch(line -> line.contains("uses-it"));
  }

  @Test
  void reencryptionLeavesNothingOfThePlainValueOnDisk() throws IOException {
    stint("run", null);
    assertThat(onDisk()).anyMatch(text -> text.contains(word()));
    stint("reencrypt", config("all.yaml", "*.*", key("aesgcm", "k", 1), "- identity: {}"));
    assertThat(onDisk()).isNotEmpty().noneMatch(text -> text.contains(word()));
    assertThat(stored().values()).allMatch(value -> value.startsWith("k8s:enc:aesgcm:v1:k:"));
  }

  @Test
  void aMissingKeyIsOneClearErrorAndOtherObjectsStayReadable() throws IOException {
    stint("run", config("first.yaml", "secrets", key("aesgcm", "one", 1)));
    Path wrong = config("wrong.yaml", "secrets", key("aesgcm", "one", 2));
    Recorded refused = stint("reencrypt", wrong);
    assertThat(refused.err())
        .containsExactly(
            "stint: cannot decrypt "
                + SECRET
                + ": it is encrypted by aesgcm with the key \"one\", which is missing or has another"
                + " secret; add the key to the file of --encryption-provider-config");
    assertThat(stint("ls", wrong).out()).anyMatch(line -> line.contains("uses-it"));
    Recorded without = Recorded.plain();
    assertThat(without.run("ls", "--data", data())).isZero();
    assertThat(without.out()).anyMatch(line -> line.contains("uses-it"));
  }

  @Test
  void unreadableJobsAreOneLineForEachCommand() throws IOException {
    stint("run", config("first.yaml", "*.*", key("aesgcm", "one", 1)));
    Recorded refused = Recorded.plain();
    assertThat(refused.run("ls", "--data", data())).isEqualTo(2);
    assertThat(refused.err()).singleElement().asString().contains("cannot decrypt " + JOB);
  }

  @Test
  void aFaultyFileIsOneLine() throws IOException {
    Path faulty = Files.writeString(dir.resolve("faulty.yaml"), "kind: Secret");
    Recorded refused = Recorded.plain();
    assertThat(
            refused.run("ls", "--data", data(), "--encryption-provider-config", faulty.toString()))
        .isEqualTo(2);
    assertThat(refused.err())
        .containsExactly(
            "stint: --encryption-provider-config "
                + faulty
                + ": apiVersion: must be apiserver.config.k8s.io/v1");
    Recorded missing = Recorded.plain();
    assertThat(missing.run("reencrypt", "--data", data())).isEqualTo(2);
    assertThat(missing.err()).singleElement().asString().contains("is required");
  }

  private Recorded stint(String command, @Nullable Path config, String... more) {
    Recorded recorded = Recorded.of("", System.getenv(), false, UTF_8);
    Stream<String> file = command.equals("run") ? Stream.of(job.toString()) : Stream.of();
    Stream<String> flags =
        config == null ? Stream.of() : Stream.of("--encryption-provider-config", config.toString());
    String[] args =
        Stream.of(Stream.of(command), file, Stream.of("--data", data()), flags, Stream.of(more))
            .flatMap(each -> each)
            .toArray(String[]::new);
    int status = recorded.run(args);
    assertThat(recorded.err()).noneMatch(line -> line.contains("at dev.stint"));
    if (command.equals("run")) {
      assertThat(status).as(String.join("\n", recorded.err())).isZero();
    }
    return recorded;
  }

  private String data() {
    return dir.resolve("data").toString();
  }

  private static String word() {
    return Base64.getEncoder().encodeToString("open-sesame".getBytes(UTF_8));
  }

  private Path config(String name, String resource, String... providers) throws IOException {
    return Files.writeString(
        dir.resolve(name),
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: ["%s"]
          providers:
          %s
        """
            .formatted(resource, String.join("\n  ", providers)));
  }

  private static String key(String scheme, String name, int seed) {
    byte[] secret = new byte[32];
    secret[0] = (byte) seed;
    return "- %s: {keys: [{name: %s, secret: %s}]}"
        .formatted(scheme, name, Base64.getEncoder().encodeToString(secret));
  }

  private Map<String, String> stored() throws IOException {
    Map<String, String> stored = new TreeMap<>();
    try (RocksEngine engine = RocksEngine.open(dir.resolve("data").resolve("store"))) {
      engine.readBack(entry -> stored.put(entry.key(), new String(entry.value(), ISO_8859_1)));
    }
    return stored;
  }

  private List<String> onDisk() throws IOException {
    try (Stream<Path> files = Files.walk(dir.resolve("data").resolve("store"))) {
      return files.filter(Files::isRegularFile).map(ReencryptCommandTest::text).toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, ISO_8859_1);
    } catch (IOException fault) {
      throw new java.io.UncheckedIOException(fault);
    }
  }
}
