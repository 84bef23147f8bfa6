package dev.stint.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.encryption.EncryptedEngine;
import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cluster.Cluster;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.Entry;
import dev.stint.store.StoreEvent;
import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A control plane whose store holds objects that it cannot decrypt. */
class UnreadableObjectsTest {
  private static final ControlPlaneOptions OPTIONS =
      new ControlPlaneOptions(
          ControlPlaneOptions.DEFAULT.store(),
          ControlPlaneOptions.DEFAULT.jobs(),
          1,
          _ -> true,
          true,
          true);

  private final SimulatedEngine disk = new SimulatedEngine();

  @Test
  void aStartServesAllOtherObjectsAndNamesTheOneThatCannotBeRead() throws Exception {
    store(configuration("A"), "/registry/batch/jobs/default/pi", 2, JobBuilder.named("pi").build());
    KubeObject map = Served.configMap("readable", "a");
    store(configuration("A"), "/registry/configmaps/default/readable", 3, map);
    EncryptedEngine engine = new EncryptedEngine(disk, configuration("B"));
    try (ControlPlane plane = new ControlPlane(engine, OPTIONS)) {
      assertThat(engine.unreadable()).singleElement().asString().contains("jobs/default/pi");
      Cluster cluster = plane.cluster();
      new Bootstrap(cluster).run().get();
      plane.start(Set.of(ControllerName.values()), null).get();
      assertThat(cluster.list(Kind.CONFIG_MAP, null).get().items())
          .extracting(KubeObject::name)
          .contains("readable");
      ObjectRef job = new ObjectRef(Kind.JOB, "default", "pi");
      for (var asked : List.of(cluster.get(job), cluster.list(Kind.JOB, null))) {
        assertThatThrownBy(asked::get)
            .hasMessageContaining("cannot decrypt /registry/batch/jobs/default/pi")
            .hasMessageContaining("--encryption-provider-config");
      }
      assertThat(cluster.create(JobBuilder.named("pi").build()))
          .failsWithin(Duration.ofMinutes(1))
          .withThrowableThat()
          .withMessageContaining("already exists");
    }
    assertThat(new String(stored("/registry/batch/jobs/default/pi").value(), UTF_8))
        .startsWith("k8s:enc:aesgcm:v1:A:");
  }

  private Entry stored(String key) throws IOException {
    List<Entry> found = new ArrayList<>();
    disk.readBack(found::add);
    return found.stream().filter(entry -> entry.key().equals(key)).findFirst().orElseThrow();
  }

  private void store(EncryptionConfiguration with, String key, long revision, KubeObject object)
      throws Exception {
    Entry entry = new Entry(key, Json.bytes(object.tree()), revision, revision);
    EncryptedEngine engine = new EncryptedEngine(disk, with);
    engine.append(List.of(new StoreEvent(revision, null, entry)));
    engine.sync();
  }

  private static EncryptionConfiguration configuration(String key) {
    return EncryptionConfiguration.parse(
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: [jobs.batch]
          providers: [{aesgcm: {keys: [{name: %s, secret: AAAAAAAAAAAAAAAAAAAAAA==}]}}]
        """
            .formatted(key)
            .getBytes(UTF_8));
  }
}
