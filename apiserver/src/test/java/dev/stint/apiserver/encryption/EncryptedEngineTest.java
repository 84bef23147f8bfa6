package dev.stint.apiserver.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.store.Entry;
import dev.stint.store.StorageEngine;
import dev.stint.store.StoreEvent;
import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptedEngineTest {
  private static final String SECRET = "/registry/secrets/default/s";
  private static final String JOB = "/registry/batch/jobs/default/j";
  private static final String PLAIN = "{\"data\":{\"password\":\"aHVudGVyMg==\"}}";

  private final SimulatedEngine disk = new SimulatedEngine();

  @ParameterizedTest
  @ValueSource(strings = {"aescbc", "aesgcm", "secretbox"})
  void aValueIsEncryptedOnDiskAndReadableAbove(String scheme) throws IOException {
    StorageEngine engine = engine("secrets", key(scheme, "key1", 1));
    write(engine, 2, SECRET);
    write(engine, 3, JOB);
    assertThat(text(disk, SECRET))
        .startsWith("k8s:enc:" + scheme + ":v1:key1:")
        .doesNotContain("password");
    assertThat(text(disk, JOB)).isEqualTo(PLAIN);
    assertThat(read(engine("secrets", key(scheme, "key1", 1))))
        .containsExactlyInAnyOrderEntriesOf(Map.of(SECRET, PLAIN, JOB, PLAIN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"aescbc", "aesgcm", "secretbox"})
  void anotherSecretReadsNothingAndSaysWhatToDo(String scheme) throws IOException {
    write(engine("secrets", key(scheme, "key1", 1)), 2, SECRET);
    write(disk, 3, "/registry/secrets/default/other");
    EncryptedEngine engine = engine("secrets", key(scheme, "key1", 2), "- identity: {}");
    assertThat(read(engine)).containsEntry("/registry/secrets/default/other", PLAIN);
    assertThat(engine.unreadable())
        .containsExactly(
            "cannot decrypt "
                + SECRET
                + ": it is encrypted by "
                + scheme
                + " with the key \"key1\", which is missing or has another secret; add the key to the"
                + " file of --encryption-provider-config");
    Entry stuck = entry(engine, SECRET);
    assertThatThrownBy(() -> EncryptedValues.readable(stuck))
        .hasMessageContaining("cannot decrypt " + SECRET);
  }

  @Test
  void withoutAConfigurationAnEncryptedValueIsReported() throws IOException {
    write(engine("secrets", key("aesgcm", "key1", 1)), 2, SECRET);
    EncryptedEngine engine = new EncryptedEngine(disk, EncryptionConfiguration.NONE);
    entries(engine);
    assertThat(engine.unreadable()).singleElement().asString().contains(SECRET, "key1");
  }

  @Test
  void anAuthenticatedValueCannotBeMovedToAnotherObject() throws IOException {
    EncryptedEngine engine = engine("secrets", key("aesgcm", "key1", 1));
    write(engine, 2, SECRET);
    String other = "/registry/secrets/default/other";
    byte[] stolen = entry(disk, SECRET).value();
    disk.append(List.of(new StoreEvent(3, null, new Entry(other, stolen, 3, 3))));
    assertThat(read(engine)).containsEntry(SECRET, PLAIN);
    assertThat(engine.unreadable()).singleElement().asString().contains(other);
  }

  @Test
  void theFirstProviderWritesAndAllRead() throws IOException {
    write(disk, 2, "/registry/secrets/default/plain");
    write(engine("secrets", key("aescbc", "old", 1)), 3, "/registry/secrets/default/old");
    EncryptedEngine engine =
        engine("secrets", key("secretbox", "new", 2), key("aescbc", "old", 1), "- identity: {}");
    write(engine, 4, "/registry/secrets/default/new");
    assertThat(read(engine).values()).hasSize(3).containsOnly(PLAIN);
    assertThat(engine.stale())
        .containsExactlyInAnyOrder(
            "/registry/secrets/default/plain", "/registry/secrets/default/old");
  }

  @Test
  void afterReencryptionTheOldKeyCanGo() throws IOException {
    write(engine("*.*", key("aesgcm", "old", 1)), 2, SECRET);
    write(disk, 3, JOB);
    String fresh = key("aesgcm", "new", 2);
    assertThat(engine("*.*", fresh, key("aesgcm", "old", 1), "- identity: {}").reencrypt())
        .isEqualTo(2);
    EncryptedEngine after = engine("*.*", fresh);
    Map<String, Entry> read = entries(after);
    assertThat(read.keySet()).containsExactlyInAnyOrder(SECRET, JOB);
    assertThat(read.values()).extracting(Entry::revision).containsExactlyInAnyOrder(4L, 5L);
    assertThat(entry(after, SECRET).createRevision()).isEqualTo(2);
    assertThat(after.unreadable()).isEmpty();
    assertThat(after.stale()).isEmpty();
    assertThat(after.readBack(_ -> {})).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "secrets, /registry/secrets/a/b, true",
    "secrets, /registry/configmaps/a/b, false",
    "services, /registry/services/a/b, true",
    "jobs.batch, /registry/batch/jobs/a/b, true",
    "jobs, /registry/batch/jobs/a/b, false",
    "*., /registry/namespaces/a, true",
    "*., /registry/batch/jobs/a/b, false",
    "*.batch, /registry/batch/jobs/a/b, true",
    "*.batch, /registry/secrets/a/b, false",
    "*.*, /registry/rbac.authorization.k8s.io/clusterroles/a, true",
    "clusterroles.rbac.authorization.k8s.io, /registry/rbac.authorization.k8s.io/clusterroles/a, true",
    "*.*, /registry/secrets/a/b, true",
  })
  void patternsNameResources(String pattern, String key, boolean matches) {
    assertThat(StoredResource.ofKey(key).matches(pattern)).isEqualTo(matches);
  }

  private EncryptedEngine engine(String resource, String... providers) {
    String text =
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: ["%s"]
          providers:
          %s
        """
            .formatted(resource, String.join("\n  ", providers));
    return new EncryptedEngine(disk, EncryptionConfiguration.parse(text.getBytes(UTF_8)));
  }

  private static String key(String scheme, String name, int seed) {
    byte[] secret = new byte[32];
    secret[0] = (byte) seed;
    return "- %s: {keys: [{name: %s, secret: %s}]}"
        .formatted(scheme, name, Base64.getEncoder().encodeToString(secret));
  }

  private static void write(StorageEngine engine, long revision, String key) throws IOException {
    Entry entry = new Entry(key, PLAIN.getBytes(UTF_8), revision, revision);
    engine.append(List.of(new StoreEvent(revision, null, entry)));
    engine.sync();
  }

  private static Map<String, Entry> entries(StorageEngine engine) throws IOException {
    Map<String, Entry> entries = new LinkedHashMap<>();
    engine.readBack(entry -> entries.put(entry.key(), entry));
    return entries;
  }

  private static Entry entry(StorageEngine engine, String key) throws IOException {
    return Objects.requireNonNull(entries(engine).get(key));
  }

  private static Map<String, String> read(EncryptedEngine engine) throws IOException {
    Map<String, String> read = new LinkedHashMap<>();
    entries(engine)
        .forEach((key, entry) -> {
          if (engine.unreadable().stream().noneMatch(why -> why.contains(key + ":"))) {
            read.put(key, new String(entry.value(), UTF_8));
          }
        });
    return read;
  }

  private static String text(StorageEngine engine, String key) throws IOException {
    return new String(entry(engine, key).value(), UTF_8);
  }
}
