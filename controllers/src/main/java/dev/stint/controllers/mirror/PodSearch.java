package dev.stint.controllers.mirror;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ObjectList;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.ClusterRequests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches the pods of a cluster for many at once. While it lists the pods of a namespace, further
 * questions wait for the next list, which answers all of them. It keeps only pods that somebody
 * wants.
 *
 * <p>It is used on the event loop only, and its answers come there.
 */
final class PodSearch {
  private final Cluster cluster;
  private final Executor loop;

  /** The questions for the next list of each namespace whose pods are being listed. */
  private final Map<String, List<Question>> waiting = new HashMap<>();

  /** A list that is being read. */
  private static final class Listing {
    private final List<Question> questions;
    private String revision = "";

    Listing(List<Question> questions) {
      this.questions = questions;
    }

    CompletableFuture<?> take(ObjectList part) {
      if (!part.resourceVersion().equals(revision)) { // The list starts anew.
        revision = part.resourceVersion();
        questions.forEach(question -> question.found.clear());
      }
      part.items().forEach(pod -> questions.forEach(question -> question.take(pod)));
      return ClusterRequests.NOTHING;
    }
  }

  private static final class Question {
    final Predicate<KubeObject> wanted;
    final CompletableFuture<List<KubeObject>> answer = new CompletableFuture<>();

    /** By uid, since a list may repeat its parts. */
    final Map<String, KubeObject> found = new LinkedHashMap<>();

    Question(Predicate<KubeObject> wanted) {
      this.wanted = wanted;
    }

    void take(KubeObject pod) {
      if (wanted.test(pod)) {
        found.put(pod.uid(), pod);
      }
    }

    void answer(@Nullable Throwable failure) {
      if (failure == null) {
        answer.complete(List.copyOf(found.values()));
      } else {
        answer.completeExceptionally(failure);
      }
    }
  }

  PodSearch(Cluster cluster, Executor loop) {
    this.cluster = cluster;
    this.loop = loop;
  }

  /** Returns the pods of a namespace that are wanted, as they are now or later. */
  CompletableFuture<List<KubeObject>> find(String namespace, Predicate<KubeObject> wanted) {
    Question question = new Question(wanted);
    List<Question> next = waiting.get(namespace);
    if (next == null) {
      list(namespace, List.of(question));
    } else {
      next.add(question);
    }
    return question.answer;
  }

  private void list(String namespace, List<Question> questions) {
    waiting.put(namespace, new ArrayList<>());
    cluster
        .list(Kind.POD, namespace, new Listing(questions)::take)
        .whenCompleteAsync(
            (_, failure) -> {
              listNext(namespace);
              questions.forEach(question -> question.answer(failure));
            },
            loop);
  }

  private void listNext(String namespace) {
    List<Question> next = waiting.remove(namespace);
    if (next != null && !next.isEmpty()) {
      list(namespace, next);
    }
  }
}
