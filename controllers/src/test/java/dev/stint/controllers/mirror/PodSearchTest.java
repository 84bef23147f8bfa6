package dev.stint.controllers.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.ObjectList;
import dev.stint.harness.FakeCluster;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodSearchTest {
  /** A list that waits for the test. */
  private record HeldList(
      String namespace,
      Function<ObjectList, CompletableFuture<?>> each,
      CompletableFuture<String> end) {
    HeldList part(String revision, KubeObject... pods) {
      assertThat(each.apply(new ObjectList(List.of(pods), revision))).isDone();
      return this;
    }
  }

  private final List<HeldList> lists = new ArrayList<>();
  private final PodSearch search =
      new PodSearch(
          new ForwardingCluster(new FakeCluster(Runnable::run, InstantSource.system())) {
            @Override
            public CompletableFuture<String> list(
                Kind kind,
                @Nullable String namespace,
                Function<ObjectList, CompletableFuture<?>> each) {
              assertThat(kind).isEqualTo(Kind.POD);
              lists.add(new HeldList(String.valueOf(namespace), each, new CompletableFuture<>()));
              return lists.getLast().end();
            }
          },
          Runnable::run);

  private static KubeObject pod(String name) {
    return MirrorFixtures.object(
        "{'metadata':{'name':'%s','uid':'%s'}}".formatted(name, "uid-" + name));
  }

  private CompletableFuture<List<KubeObject>> find(String namespace, String name) {
    return search.find(namespace, pod -> pod.name().equals(name));
  }

  @Test
  void questionsDuringAListShareTheNextOne() {
    List<CompletableFuture<List<KubeObject>>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(find("a", "p" + i));
    }
    assertThat(lists).hasSize(1);
    lists.getFirst().part("1", pod("p0"), pod("p1")).end.complete("1");
    assertThat(answers.getFirst()).isCompletedWithValueMatching(found -> found.size() == 1);
    assertThat(answers.get(1)).isNotDone(); // It was asked for after the list had begun.
    assertThat(lists).hasSize(2);
    lists.get(1).part("1", pod("p1")).end.complete("1");
    assertThat(answers).allMatch(CompletableFuture::isDone);
    assertThat(answers.get(1).join()).hasSize(1);
    assertThat(answers.get(2).join()).isEmpty();
    assertThat(lists).hasSize(2);
    assertThat(find("a", "p")).isNotDone();
    assertThat(lists).hasSize(3);
  }

  @Test
  void namespacesAreListedByThemselves() {
    CompletableFuture<List<KubeObject>> answer = find("a", "p");
    assertThat(find("b", "p")).isNotDone();
    assertThat(lists).extracting(HeldList::namespace).containsExactly("a", "b");
    lists.getFirst().part("1", pod("p")).end.complete("1");
    assertThat(answer.join()).hasSize(1);
  }

  @Test
  void aListThatStartsAnewIsReadAnew() {
    CompletableFuture<List<KubeObject>> answer = search.find("a", _ -> true);
    lists
        .getFirst()
        .part("1", pod("gone"), pod("p"))
        .part("2", pod("p"), pod("q"))
        .part("2", pod("p"), pod("q"))
        .part("2", pod("r"))
        .end
        .complete("2");
    assertThat(answer.join()).extracting(KubeObject::name).containsExactly("p", "q", "r");
  }

  @Test
  void aFailureIsThatOfItsOwnQuestionsOnly() {
    CompletableFuture<List<KubeObject>> first = find("a", "p");
    CompletableFuture<List<KubeObject>> second = find("a", "p");
    lists.getFirst().end.completeExceptionally(new ClusterException(Reason.UNAVAILABLE, "no"));
    assertThat(first).isCompletedExceptionally();
    assertThat(second).isNotDone();
    lists.get(1).part("1", pod("p")).end.complete("1");
    assertThat(second.join()).hasSize(1);
  }
}
