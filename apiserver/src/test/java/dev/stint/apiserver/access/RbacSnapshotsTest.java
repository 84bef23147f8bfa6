package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.RbacSnapshot.Grant;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RbacSnapshotsTest {
  private static final User JANE = User.of("jane");

  private final GivenRules rules = new GivenRules();
  private final RbacSnapshots snapshots = new RbacSnapshots(rules);

  private static KubeObject binding(String namespace, String name) {
    return GivenRules.binding(namespace, name, "ClusterRole/view", "User/jane");
  }

  private Stream<String> sources(String namespace) {
    return snapshots.of(namespace).of(JANE, snapshots.of("")).map(Grant::source);
  }

  @Test
  void changesOfOneNamespaceMakeNoSnapshotOfAnother() {
    rules.put(binding("ci", "b"));
    RbacSnapshot before = snapshots.of("ci");
    RbacSnapshot everywhere = snapshots.of("");
    rules.put(binding("large", "b"));
    assertThat(snapshots.of("ci")).isSameAs(before);
    assertThat(snapshots.of("")).isSameAs(everywhere);
    rules.put(binding("ci", "c"));
    assertThat(snapshots.of("ci")).isNotSameAs(before);
  }

  @Test
  void aWriteThatWasRefusedMakesNoSnapshot() {
    rules.put(binding("ci", "b"));
    RbacSnapshot before = snapshots.of("ci");
    rules.changed("ci");
    assertThat(snapshots.of("ci")).isSameAs(before);
  }

  @Test
  void whatABindingGivesIsFoundWithItsRole() {
    rules.put(GivenRules.role("", "view", "[]"));
    rules.put(binding("ci", "b"));
    rules.put(GivenRules.binding("ci", "broken", "Role/view", "User/jane"));
    rules.put(binding("", "a"));
    assertThat(sources("ci"))
        .containsExactly("RoleBinding \"b/ci\" of ClusterRole \"view\" to User \"jane\"");
    assertThat(sources(""))
        .containsExactly("ClusterRoleBinding \"a\" of ClusterRole \"view\" to User \"jane\"");
  }

  /** The memory of all roles is known before others may write more, also after a restart. */
  @Test
  void theFirstRequestReadsAllNamespaces() {
    rules.put(binding("ci", "b"));
    rules.put(binding("large", "c"));
    snapshots.of("ci");
    assertThat(rules.read).containsExactlyInAnyOrder("b", "c");
    snapshots.of("large");
    assertThat(rules.read).hasSize(2);
  }

  @Test
  void namespacesThatHaveNothingTakeNoMemory() {
    rules.put(binding("ci", "b"));
    KubeObject last = rules.put(binding("gone", "b"));
    snapshots.of("no-such");
    assertThat(snapshots.held()).containsExactlyInAnyOrder("ci", "gone");
    rules.remove(last);
    rules.put(binding("ci", "c"));
    snapshots.of("ci");
    assertThat(snapshots.held()).containsExactly("ci");
    rules.put(last);
    assertThat(sources("gone")).isEmpty();
    rules.put(GivenRules.role("", "view", "[]"));
    assertThat(sources("gone")).hasSize(1);
  }

  @Test
  @Timeout(60)
  void nobodyWaitsForTheReadingOfAnotherNamespace() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    rules.put(binding("ci", "b"));
    RbacSnapshots slow = new RbacSnapshots(new Slow(reading, goOn));
    slow.of("ci");
    rules.put(binding("large", "b"));
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<RbacSnapshot> large = thread.submit(() -> slow.of("large"));
      reading.await();
      rules.put(binding("ci", "c"));
      assertThat(slow.of("ci").isEmpty()).isFalse();
      assertThat(large).isNotDone();
      goOn.complete(null);
      assertThat(large.get().isEmpty()).isFalse();
    }
  }

  /** The rules, of which those of one namespace take long to read. */
  private final class Slow implements RbacSource {
    private final CountDownLatch reading;
    private final CompletableFuture<Void> goOn;

    Slow(CountDownLatch reading, CompletableFuture<Void> goOn) {
      this.reading = reading;
      this.goOn = goOn;
    }

    @Override
    public long revision(String namespace) {
      return rules.revision(namespace);
    }

    @Override
    public Stream<Stored> list(Kind kind, String namespace) {
      if (namespace.equals("large")) {
        reading.countDown();
        goOn.join();
      }
      return rules.list(kind, namespace);
    }

    @Override
    public Set<String> namespaces() {
      return rules.namespaces();
    }
  }
}
