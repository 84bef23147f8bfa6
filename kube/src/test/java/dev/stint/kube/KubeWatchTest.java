package dev.stint.kube;

import static dev.stint.kube.KubeClusterTest.answer;
import static dev.stint.kube.KubeClusterTest.config;
import static dev.stint.kube.KubeClusterTest.configMap;
import static dev.stint.kube.KubeClusterTest.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.harness.TestTime;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.store.StoreOptions;
import dev.stint.store.StoreOptions.Durability;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KubeWatchTest {
  private final TestTime time = new TestTime();
  private final SeenEvents seen = new SeenEvents();
  private ApiFront front;
  private KubeCluster cluster;

  @BeforeEach
  void open() throws Exception {
    front = new ApiFront(StoreOptions.defaults());
    cluster = new KubeCluster(config(front.url()), time);
  }

  /**
   * For tests that end connections, whether the client takes that for an end or for a fault, after
   * which it waits a moment: that moment is skipped.
   */
  private void reconnectAtOnce() {
    cluster.close();
    cluster = new KubeCluster(config(front.url()), skippingShortOnes());
  }

  /** Timers that skip the waits of watches, of one to four seconds; all others never end. */
  static Timers skippingShortOnes() {
    return (delay, task) -> {
      if (delay.toMillis() % 1000 == 0 && delay.compareTo(Duration.ofSeconds(4)) <= 0) {
        Thread.startVirtualThread(task);
      }
      return () -> {};
    };
  }

  @AfterEach
  void close() {
    cluster.close();
    front.close();
  }

  @Test
  void changesAreReportedInOrderFromARevisionOn() throws Exception {
    answer(front.api.create(configMap("before")));
    watch();
    KubeObject created = answer(cluster.create(configMap("c")));
    answer(cluster.patch(created.ref(), KubeClusterTest.tree("{'data':{'k':'w'}}")));
    answer(cluster.create(pod("another-kind")));
    answer(cluster.delete(created.ref(), DeleteOptions.now(created.uid())));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap c");
    assertThat(seen.next()).isEqualTo("MODIFIED ConfigMap c");
    assertThat(seen.next()).isEqualTo("DELETED ConfigMap c");
    assertThat(front.requests)
        .anyMatch(request -> request.uri().contains("allowWatchBookmarks=true"));
  }

  @Test
  void aBrokenConnectionLosesNothingAndRepeatsNothing() throws Exception {
    reconnectAtOnce();
    watch();
    answer(front.api.create(configMap("first")));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap first");
    front.endWatches();
    answer(front.api.create(configMap("second")));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap second");
    front.endWatches();
    answer(front.api.create(configMap("third")));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap third");
    assertThat(seen.isEmpty()).isTrue();
  }

  @Test
  void aBookmarkAdvancesTheRevision() throws Exception {
    reconnectAtOnce();
    watch();
    answer(front.api.create(configMap("first")));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap first");
    answer(front.api.create(pod("p")));
    String now = answer(front.api.list(Kind.POD, null)).resourceVersion();
    front.tellWatchers(
        "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\","
            + "\"metadata\":{\"resourceVersion\":\""
            + now
            + "\"}}}");
    front.endWatches();
    answer(front.api.create(configMap("second")));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap second");
    assertThat(front.requests.getLast().uri()).endsWith("resourceVersion=" + now);
  }

  @Test
  void aRevisionThatIsTooOldEndsTheWatch() throws Exception {
    try (ApiFront forgetful = new ApiFront(new StoreOptions(2, 1 << 20, Durability.STRICT));
        KubeCluster its = new KubeCluster(config(forgetful.url()), time)) {
      String revision = answer(forgetful.api.create(configMap("first"))).resourceVersion();
      for (int i = 0; i < 4; i++) {
        answer(forgetful.api.create(pod("p" + i)));
      }
      its.watch(Kind.CONFIG_MAP, null, revision, seen);
      assertThat(seen.next()).isEqualTo("closed GONE: too old resource version: " + revision);
    }
  }

  @Test
  void aRefusalEndsTheWatch() throws Exception {
    front.answers.add(
        new ApiFront.Answer(
            410, "{\"kind\":\"Status\",\n\"reason\":\"Expired\",\"message\":\"old\"}"));
    watch();
    assertThat(seen.next()).isEqualTo("closed GONE: old");
  }

  @Test
  void temporaryFailuresAreRetriedAfterLongerDelays() throws Exception {
    for (int i = 0; i < 3; i++) {
      front.answers.add(new ApiFront.Answer(503, "busy"));
    }
    watch();
    answer(front.api.create(configMap("c")));
    time.advanceOnceArmed(Duration.ofSeconds(1));
    time.advanceOnceArmed(Duration.ofSeconds(2));
    time.advanceOnceArmed(Duration.ofSeconds(4));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap c");
  }

  @Test
  void aTokenThatCannotBeReadIsAskedForAgain() throws Exception {
    AtomicBoolean hasFailed = new AtomicBoolean();
    Config failing =
        new ConfigBuilder(config(front.url()))
            .withOauthTokenProvider(() -> {
              if (!hasFailed.getAndSet(true)) {
                throw new IllegalStateException("no token yet");
              }
              return "token";
            })
            .build();
    try (KubeCluster its = new KubeCluster(failing, time)) {
      String revision = answer(front.api.list(Kind.CONFIG_MAP, null)).resourceVersion();
      its.watch(Kind.CONFIG_MAP, "default", revision, seen);
      answer(front.api.create(configMap("c")));
      time.advanceOnceArmed(Duration.ofSeconds(1));
      assertThat(seen.next()).isEqualTo("ADDED ConfigMap c");
    }
  }

  @Test
  void retryAfterIsHonouredWithinLimits() throws Exception {
    front.answers.add(new ApiFront.Answer(429, "busy", "3"));
    front.answers.add(new ApiFront.Answer(503, "busy", "3600"));
    watch();
    answer(front.api.create(configMap("c")));
    time.advanceOnceArmed(Duration.ofSeconds(3));
    time.advanceOnceArmed(Duration.ofSeconds(5));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap c");
  }

  @Test
  void aConnectionThatFallsSilentIsReplaced() throws Exception {
    watch();
    answer(front.api.create(configMap("first")));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap first");
    time.advanceOnceArmed(Duration.ofSeconds(330));
    time.advanceOnceArmed(Duration.ofSeconds(1));
    answer(front.api.create(configMap("second")));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap second");
    assertThat(front.requests).hasSize(2);
  }

  @Test
  void invalidEventsEndTheWatch() throws Exception {
    watch();
    answer(front.api.create(configMap("first")));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap first");
    front.tellWatchers("{\"type\":\"RENAMED\",\"object\":{}}");
    assertThat(seen.next())
        .startsWith("closed INTERNAL: the watch of api/v1/namespaces/default/configmaps");
  }

  @Test
  void aClosedWatchReportsNoMore() throws Exception {
    SeenEvents other = new SeenEvents();
    Watch watch = watch(seen);
    watch(other);
    answer(front.api.create(configMap("first")));
    assertThat(seen.next()).isEqualTo("ADDED ConfigMap first");
    assertThat(other.next()).isEqualTo("ADDED ConfigMap first");
    watch.close();
    answer(front.api.create(configMap("second")));
    assertThat(other.next()).isEqualTo("ADDED ConfigMap second");
    assertThat(seen.isEmpty()).isTrue();
  }

  private Watch watch() throws Exception {
    return watch(seen);
  }

  private Watch watch(SeenEvents by) throws Exception {
    String revision = answer(front.api.list(Kind.CONFIG_MAP, null)).resourceVersion();
    return cluster.watch(Kind.CONFIG_MAP, "default", revision, by);
  }
}
