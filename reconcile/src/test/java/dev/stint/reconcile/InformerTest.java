package dev.stint.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InformerTest {
  private final TestWorld world = new TestWorld();
  private final List<String> heard = new ArrayList<>();
  private final Informer informer =
      new Informer(
          world.api,
          Kind.CONFIG_MAP,
          world.eventLoop,
          new Informer.Listener() {
            @Override
            public void onUpdate(KubeObject object) {
              heard.add(object.name());
            }

            @Override
            public void onDelete(String uid, String controller) {}

            @Override
            public void onSynced() {
              heard.add("all");
            }
          });

  private void startRefused(Duration askedFor) {
    world.add(TestWorld.configMap("c"), "");
    world.api.before(
        Fault.refusing(
            "list",
            new ClusterException(Reason.TOO_MANY_REQUESTS, "too many").withRetryAfter(askedFor)));
    informer.start();
  }

  @Test
  void aRefusedListIsRepeatedAfterItsRetryAfter() {
    startRefused(Duration.ofSeconds(3));
    world.pass(Duration.ofMillis(2999));
    assertThat(heard).isEmpty();
    world.pass(Duration.ofMillis(1));
    assertThat(heard).containsExactly("c", "all");
  }

  @Test
  void aLongRetryAfterIsCappedAtFiveSeconds() {
    startRefused(Duration.ofHours(1));
    world.pass(Duration.ofMillis(4999));
    assertThat(heard).isEmpty();
    world.pass(Duration.ofMillis(1));
    assertThat(heard).containsExactly("c", "all");
  }

  @Test
  void aShortRetryAfterDoesNotShortenTheDelay() {
    startRefused(Duration.ofMillis(1));
    world.pass(Duration.ofMillis(500)); // The minimum of our own delay with jitter.
    assertThat(heard).isEmpty();
    world.pass(Duration.ofMillis(500));
    assertThat(heard).containsExactly("c", "all");
  }
}
