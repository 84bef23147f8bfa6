package dev.stint.examples.josdk;

import static dev.stint.testkit.JobAssert.assertThat;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.testkit.ApiFaults;
import dev.stint.testkit.Jobs;
import dev.stint.testkit.PodScript;
import dev.stint.testkit.StintTest;
import dev.stint.testkit.TestClock;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.javaoperatorsdk.operator.Operator;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator runs against a Kubernetes API with real controllers, in simulated time. */
@StintTest(crds = "crds/*.yaml")
class BackupReconcilerTest {
  private final KubernetesClient client;
  private final Operator operator;
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();

  BackupReconcilerTest(KubernetesClient client, InstantSource clock) {
    this.client = client;
    operator = new Operator(options -> options.withKubernetesClient(client));
    operator.register(
        new BackupReconciler(deleted::add, clock),
        options -> options.settingNamespace(client.getNamespace()));
  }

  @BeforeEach
  void start() {
    operator.start();
  }

  @AfterEach
  void stop() {
    operator.stop();
  }

  @Test
  void aBackupIsDoneAfterItsSecondAttempt(PodScript pods, Jobs jobs, TestClock clock) {
    pods.everyPod().runsFor(10, MINUTES);
    pods.everyPod().firstAttempt().exits(1);
    create("nightly", 2);
    becomes("nightly", "Running");

    assertThat(jobs.job("nightly").awaitFinished()).isComplete();

    Backup stored = becomes("nightly", "Stored");
    assertThat(stored.getStatus().attempts).isEqualTo(2);
    assertThat(stored.getStatus().observedGeneration).isEqualTo(1);
    assertThat(stored.getStatus().conditions.getFirst().getLastTransitionTime())
        .isEqualTo(clock.instant().toString());
  }

  /** The framework's finalizer holds the backup until its data is deleted. */
  @Test
  void theDataOfADeletedBackupIsDeleted(Jobs jobs) {
    create("nightly", 0);
    becomes("nightly", "Stored");
    backup("nightly").delete();
    backup("nightly").waitUntilCondition(Objects::isNull, 60, SECONDS);
    assertThat(deleted).containsExactly("nightly");
    client.batch().v1().jobs().withName("nightly").waitUntilCondition(Objects::isNull, 60, SECONDS);
    assertThat(jobs.all()).isEmpty();
  }

  /** The API checks what the definition says. */
  @Test
  void theSpecIsChecked() {
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> create("nightly", -1))
        .withMessageContaining("spec.retries")
        .withMessageContaining("greater than or equal to 0");
    create("nightly", 1);
    becomes("nightly", "Stored");
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() ->
            backup("nightly")
                .edit(backup -> {
                  backup.getSpec().database = "another";
                  return backup;
                }))
        .withMessageContaining("a backup cannot change its database");
  }

  @Test
  void conflictsAreRetried(ApiFaults faults) {
    faults.next(2).updates().of("backups").conflict();
    create("nightly", 0);
    becomes("nightly", "Stored");
  }

  private void create(String name, int retries) {
    Backup backup = new Backup();
    backup.getMetadata().setName(name);
    backup.setSpec(new Backup.Spec());
    backup.getSpec().database = "orders";
    backup.getSpec().retries = retries;
    client.resource(backup).create();
  }

  private Resource<Backup> backup(String name) {
    return client.resources(Backup.class).withName(name);
  }

  /** Waits, in real time, until the backup's condition has this reason. */
  private Backup becomes(String name, String reason) {
    return backup(name)
        .waitUntilCondition(
            found ->
                found != null
                    && found.getStatus() != null
                    && found.getStatus().conditions.stream()
                        .map(Condition::getReason)
                        .anyMatch(reason::equals),
            60,
            SECONDS);
  }
}
