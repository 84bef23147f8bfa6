package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The lifetime of a control plane: each class checks it after its tests. */
class LifetimeTest {
  @Nested
  @StintTest
  class OfOneTest {
    private static final List<Cluster> SEEN = new ArrayList<>();

    private final Cluster constructors;

    OfOneTest(Cluster cluster) {
      constructors = cluster;
    }

    @BeforeEach
    void see(Cluster cluster) {
      SEEN.add(cluster);
    }

    @Test
    void itIsTheSameInConstructorAndTest(Cluster cluster) throws Exception {
      isAlone(cluster);
    }

    @Test
    void anotherTestDoesNotSeeIt(Cluster cluster) throws Exception {
      isAlone(cluster);
    }

    private void isAlone(Cluster cluster) throws Exception {
      assertThat(cluster).isSameAs(constructors).isSameAs(SEEN.getLast());
      assertThat(cluster.list(Kind.CONFIG_MAP, null).get().items()).isEmpty();
      cluster.create(configMap()).get(60, TimeUnit.SECONDS);
    }

    @AfterAll
    static void eachTestHadItsOwnAndAllAreClosed() {
      assertThat(SEEN).hasSize(2).doesNotHaveDuplicates().allMatch(LifetimeTest::isClosed);
    }
  }

  @Nested
  @StintTest(perClass = true)
  class OfOneClass {
    private static final List<Cluster> SEEN = new ArrayList<>();
    private static final List<String> NAMESPACES = new ArrayList<>();

    @BeforeAll
    static void fill(Cluster cluster) throws Exception {
      SEEN.add(cluster);
      cluster.create(configMap()).get(60, TimeUnit.SECONDS);
    }

    @Test
    void aTestSeesWhatWasThereBefore(Cluster cluster, Jobs jobs) throws Exception {
      isShared(cluster, jobs);
    }

    @Test
    void anotherTestHasANamespaceOfItsOwn(Cluster cluster, Jobs jobs) throws Exception {
      isShared(cluster, jobs);
    }

    private static void isShared(Cluster cluster, Jobs jobs) throws Exception {
      assertThat(cluster).isSameAs(SEEN.getFirst());
      assertThat(cluster.list(Kind.CONFIG_MAP, null).get().items()).hasSize(1);
      assertThat(cluster.list(Kind.JOB, null).get().items()).isEmpty();
      jobs.apply(JobsTest.job("left-behind", "  suspend: true\n"));
      assertThat(NAMESPACES).doesNotContain(jobs.namespace());
      NAMESPACES.add(jobs.namespace());
    }
  }

  @Nested
  @StintTest(perClass = true)
  class ScriptsOfOneClass {
    private static final List<Jobs> OF_CLASS = new ArrayList<>();

    @BeforeAll
    static void script(PodScript pods, Jobs jobs) {
      pods.everyPod().exits(3);
      OF_CLASS.add(jobs);
    }

    @Test
    void podsFollowTheScriptOfTheirNamespace(Jobs jobs, PodScript pods) {
      pods.ofJob("never").neverEnds();
      assertThat(jobs.apply(JobsTest.job("own", "")).status().succeeded()).isOne();
      TestJob shared = OF_CLASS.getFirst().apply(JobsTest.job("shared", "  backoffLimit: 0\n"));
      assertThat(shared.status().failed()).isOne();
    }
  }

  @Nested
  @StintTest(perClass = true)
  class FinalizersOfAnOperator {
    private static final List<Cluster> SEEN = new ArrayList<>();
    private static final List<InstantSource> CLOCKS = new ArrayList<>();

    @BeforeAll
    static void see(Cluster cluster, InstantSource clock) {
      SEEN.add(cluster);
      CLOCKS.add(clock);
    }

    @Test
    void anObjectIsLeftBehind(Jobs jobs, PodScript pods) {
      pods.everyPod().neverEnds();
      jobs.applyAll(JobsTest.job("running", ""));
      jobs.applyAll(
          """
          apiVersion: v1
          kind: ConfigMap
          metadata: {name: held, finalizers: [example.com/operator]}
          """);
    }

    @AfterAll
    static void nothingIsLeftAndHardlyAnyTimeHasPassed() throws Exception {
      assertThat(SEEN.getFirst().list(Kind.CONFIG_MAP, null).get().items()).isEmpty();
      assertThat(CLOCKS.getFirst().instant())
          .isBefore(TestSettings.DEFAULT.start().plusSeconds(60));
    }
  }

  @Nested
  @StintTest
  class Afterwards {
    private static final List<Jobs> SEEN = new ArrayList<>();

    @Test
    void itIsUsed(Jobs jobs) {
      SEEN.add(jobs);
      assertThat(jobs.all()).isEmpty();
    }

    @AfterAll
    static void whoGoesOnUsingItIsToldAtOnce() {
      assertThatThrownBy(() -> SEEN.getFirst().all())
          .hasMessageContaining("the control plane is closed: its test is over");
    }
  }

  @Nested
  class Registered {
    @RegisterExtension
    static final StintExtension STINT =
        StintExtension.create().inRealTime().with(options -> options.with(Metrics.NONE)).perClass();

    private static final List<Cluster> SEEN = new ArrayList<>();

    @BeforeAll
    static void see(Cluster cluster) {
      SEEN.add(cluster);
    }

    @Test
    void itIsSharedToo(Cluster cluster, Jobs jobs) {
      assertThat(cluster).isSameAs(SEEN.getFirst());
      assertThat(jobs.apply(JobsTest.job("a", "")).awaitFinished().status().succeeded()).isOne();
    }
  }

  private static boolean isClosed(Cluster cluster) {
    try {
      cluster.create(configMap()).get(60, TimeUnit.SECONDS);
      return false;
    } catch (ExecutionException failure) {
      return failure.getCause() instanceof ClusterException refusal
          && refusal.reason() == Reason.UNAVAILABLE;
    } catch (Exception noAnswer) {
      throw new AssertionError(noAnswer);
    }
  }

  private static KubeObject configMap() {
    String document = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'generateName':'c-'}}";
    return KubeObject.of(Json.parse(document.replace('\'', '"')));
  }
}
