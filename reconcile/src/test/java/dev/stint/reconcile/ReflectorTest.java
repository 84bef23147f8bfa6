package dev.stint.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.WatchEvent;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReflectorTest {
  private static final Duration SHORTEST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final TestWorld world = new TestWorld();
  private final List<String> heard = new ArrayList<>();
  private boolean givesUp;
  private String closesAt = "";
  private final Reflector reflector =
      new Reflector(world.api, Kind.CONFIG_MAP, "default", world.eventLoop, new Recorder());

  private final class Recorder implements Reflector.Listener {
    @Override
    public void onListStart(String revision) {
      heard.add("list");
    }

    @Override
    public void onListed(KubeObject object) {
      heard.add(object.name());
      if (object.name().equals(closesAt)) {
        reflector.close();
      }
    }

    @Override
    public void onListEnd() {
      heard.add("end");
    }

    @Override
    public void onEvent(WatchEvent event) {
      heard.add(event.type() + " " + event.object().name());
    }

    @Override
    public boolean onListFailure(Throwable cause) {
      heard.add("failure: " + cause.getMessage());
      return !givesUp;
    }

    @Override
    public boolean onWatchFailure(ClusterException cause) {
      return !givesUp;
    }
  }

  private void start() {
    world.add(TestWorld.configMap("a"), "");
    reflector.start();
    world.settle();
    assertThat(heard).containsExactly("list", "a", "end");
    heard.clear();
  }

  @Test
  void changesAfterTheListAreReported() {
    start();
    world.add(TestWorld.configMap("b"), "");
    world.settle();
    assertThat(heard).containsExactly("ADDED b");
  }

  @Test
  void anExpiredWatchIsReplacedByAListAtOnce() {
    start();
    world.api.endWatches(new ClusterException(Reason.GONE, "too old"));
    world.settle();
    assertThat(heard).containsExactly("list", "a", "end");
    world.add(TestWorld.configMap("b"), "");
    world.settle();
    assertThat(heard).endsWith("end", "ADDED b");
  }

  @Test
  void aWatchThatMerelyEndsIsReplacedAfterADelay() {
    assertThatAWatchIsReplacedLater(null);
  }

  @Test
  void aWatchThatBreaksIsReplacedAfterADelay() {
    assertThatAWatchIsReplacedLater(new ClusterException(Reason.UNAVAILABLE, "away"));
  }

  private void assertThatAWatchIsReplacedLater(@Nullable ClusterException cause) {
    start();
    world.api.endWatches(cause);
    world.pass(SHORTEST.minusMillis(1));
    assertThat(heard).isEmpty();
    world.pass(LONGEST);
    assertThat(heard).containsExactly("list", "a", "end");
  }

  @Test
  void aFailedListIsRepeatedAfterGrowingDelays() {
    for (int i = 0; i < 2; i++) {
      world.api.before(Fault.refusing("list", new ClusterException(Reason.UNAVAILABLE, "away")));
    }
    reflector.start();
    world.settle();
    assertThat(heard).containsExactly("failure: away");
    world.pass(LONGEST);
    assertThat(heard).containsExactly("failure: away", "failure: away");
    world.pass(LONGEST.minusMillis(1));
    assertThat(heard).hasSize(2);
    world.pass(LONGEST);
    assertThat(heard).endsWith("list", "end");
  }

  @Test
  void aClosedReflectorReportsNothing() {
    start();
    reflector.close();
    world.add(TestWorld.configMap("b"), "");
    world.settle();
    reflector.start();
    world.pass(LONGEST);
    assertThat(heard).isEmpty();
  }

  @Test
  void closingBeforeTheListIsAnsweredStopsTheReports() {
    world.add(TestWorld.configMap("a"), "");
    reflector.start();
    reflector.close();
    world.settle();
    assertThat(heard).isEmpty();
  }

  @Test
  void watchesThatKeepExpiringAreReplacedAfterGrowingDelays() {
    start();
    world.api.endWatches(new ClusterException(Reason.GONE, "too old"));
    world.settle();
    heard.clear();
    world.api.endWatches(new ClusterException(Reason.GONE, "too old"));
    world.pass(LONGEST.minusMillis(1));
    assertThat(heard).isEmpty();
    world.pass(LONGEST.plusMillis(1));
    assertThat(heard).containsExactly("list", "a", "end");
  }

  /** A user who may list but not watch would otherwise list a whole cluster all the time. */
  @Test
  void watchesThatAreRefusedAreReplacedAfterHalfAMinuteAtLast() {
    start();
    assertThat(listsWhileWatchesFail(Reason.FORBIDDEN)).isBetween(20L, 45L);
  }

  @Test
  void watchesThatFailForAWhileAreReplacedSoon() {
    start();
    assertThat(listsWhileWatchesFail(Reason.UNAVAILABLE)).isGreaterThan(150L);
  }

  /** Returns the number of lists in ten minutes in which each watch ends at once. */
  private long listsWhileWatchesFail(Reason reason) {
    for (int i = 0; i < 6000; i++) {
      world.api.endWatches(new ClusterException(reason, "no"));
      world.pass(Duration.ofMillis(100));
    }
    return heard.stream().filter("list"::equals).count();
  }

  @Test
  void aWatchThatIsPermittedAgainIsFollowed() {
    start();
    for (int i = 0; i < 100; i++) {
      world.api.endWatches(new ClusterException(Reason.FORBIDDEN, "no"));
      world.pass(Duration.ofSeconds(1));
    }
    world.pass(Duration.ofSeconds(30));
    heard.clear();
    world.add(TestWorld.configMap("b"), "");
    world.settle();
    assertThat(heard).containsExactly("ADDED b");
  }

  private void assertThatARefusalAfterAnHourIsTheFirstOne() {
    world.pass(Duration.ofHours(1));
    world.api.endWatches(new ClusterException(Reason.FORBIDDEN, "no"));
    heard.clear();
    world.pass(LONGEST);
    assertThat(heard).containsExactly("list", "a", "end");
  }

  @Test
  void aRefusalAfterAWatchThatLastedIsTheFirstOneAgain() {
    start();
    listsWhileWatchesFail(Reason.FORBIDDEN);
    world.pass(Duration.ofMinutes(1));
    world.api.endWatches(new ClusterException(Reason.GONE, "too old"));
    heard.clear();
    world.settle();
    assertThat(heard).as("expired").containsExactly("list", "a", "end");
    assertThatARefusalAfterAnHourIsTheFirstOne();
  }

  /** It had no event, and did not end before. */
  @Test
  void aWatchThatIsRefusedAfterAnHourIsReplacedSoon() {
    start();
    listsWhileWatchesFail(Reason.FORBIDDEN);
    assertThatARefusalAfterAnHourIsTheFirstOne();
  }

  @Test
  void anEventMakesTheNextExpiryHarmlessAgain() {
    start();
    world.api.endWatches(new ClusterException(Reason.GONE, "too old"));
    world.settle();
    world.add(TestWorld.configMap("b"), "");
    world.settle();
    heard.clear();
    world.api.endWatches(new ClusterException(Reason.GONE, "too old"));
    world.settle();
    assertThat(heard).containsExactly("list", "a", "b", "end");
  }

  @Test
  void aListThatSucceedsEndsTheDelays() {
    ClusterException away = new ClusterException(Reason.UNAVAILABLE, "away");
    world.api.before(Fault.refusing("list", away, away, away, away, away));
    reflector.start();
    world.pass(Duration.ofMinutes(1));
    assertThat(heard).endsWith("end");
    heard.clear();
    world.api.before(Fault.refusing("list", away));
    world.api.endWatches(new ClusterException(Reason.GONE, "too old"));
    world.settle();
    assertThat(heard).containsExactly("failure: away");
    world.pass(LONGEST);
    assertThat(heard).as("six failures wait for seconds, one does not").endsWith("end");
  }

  @Test
  void aListenerMayGiveUp() {
    givesUp = true;
    start();
    world.api.endWatches(new ClusterException(Reason.FORBIDDEN, "no"));
    world.pass(Duration.ofMinutes(1));
    assertThat(heard).isEmpty();
  }

  @Test
  void aListenerMayGiveUpTheFirstList() {
    givesUp = true;
    world.api.before(Fault.refusing("list", new ClusterException(Reason.FORBIDDEN, "no")));
    reflector.start();
    world.pass(Duration.ofMinutes(1));
    assertThat(heard).containsExactly("failure: no");
  }

  private Reflector ofObject(String name) {
    return Reflector.ofObject(
        world.api, TestWorld.configMap(name), world.eventLoop, new Recorder());
  }

  @Test
  void aSingleObjectIsReadAndWatched() {
    world.add(TestWorld.configMap("a"), "");
    world.add(TestWorld.configMap("b"), "");
    ofObject("a").start();
    world.settle();
    assertThat(heard).containsExactly("list", "a", "end");
    heard.clear();
    world.api.change(TestWorld.configMap("a"), "{'data':{'k':'v'}}");
    world.api.change(TestWorld.configMap("b"), "{'data':{'k':'v'}}");
    world.settle();
    assertThat(heard).containsExactly("MODIFIED a");
  }

  @Test
  void aSingleObjectThatDoesNotExistIsReadAgainLater() {
    ofObject("a").start();
    world.settle();
    assertThat(heard).containsExactly("list", "end");
    world.add(TestWorld.configMap("a"), "");
    world.pass(SHORTEST.minusMillis(1));
    assertThat(heard).hasSize(2);
    world.pass(LONGEST);
    assertThat(heard).containsExactly("list", "end", "list", "a", "end");
    world.api.change(TestWorld.configMap("a"), "{'data':{'k':'v'}}");
    world.settle();
    assertThat(heard).endsWith("MODIFIED a");
  }

  @Test
  void theExpiredWatchOfASingleObjectIsReplacedAtOnce() {
    world.add(TestWorld.configMap("a"), "");
    ofObject("a").start();
    world.settle();
    heard.clear();
    world.api.endWatches(new ClusterException(Reason.GONE, "too old"));
    world.settle();
    assertThat(heard).containsExactly("list", "a", "end");
  }

  @Test
  void aSingleObjectThatChangedLongAgoIsWatched() {
    world.add(TestWorld.configMap("a"), "");
    world.add(TestWorld.configMap("b"), "");
    world.api.expireRevisions();
    ofObject("a").start();
    world.pass(LONGEST);
    assertThat(heard).containsExactly("list", "a", "end", "list", "a", "end");
    heard.clear();
    world.api.change(TestWorld.configMap("a"), "{'data':{'k':'v'}}");
    world.settle();
    assertThat(heard).containsExactly("MODIFIED a");
  }

  @Test
  void whoMayNotListReadsASingleObjectAgainAndAgain() {
    world.add(TestWorld.configMap("a"), "");
    world.add(TestWorld.configMap("b"), "");
    world.api.expireRevisions();
    world.api.before(Fault.refusing("list", new ClusterException(Reason.FORBIDDEN, "no")));
    ofObject("a").start();
    world.pass(LONGEST);
    world.api.change(TestWorld.configMap("a"), "{'data':{'k':'v'}}");
    heard.clear();
    world.pass(LONGEST);
    assertThat(heard).startsWith("list", "a", "end");
  }

  @Test
  void closingDuringAListStopsTheReports() {
    closesAt = "a";
    world.add(TestWorld.configMap("a"), "");
    world.add(TestWorld.configMap("b"), "");
    reflector.start();
    world.settle();
    assertThat(heard).containsExactly("list", "a");
  }
}
