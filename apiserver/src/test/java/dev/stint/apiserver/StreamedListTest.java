package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ObjectList;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.store.Entry;
import dev.stint.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StreamedListTest {
  private final List<String> made = new ArrayList<>();

  private static Snapshot snapshot(int size) {
    return new Snapshot(
        IntStream.range(0, size).mapToObj(i -> new Entry("key-" + i, new byte[0], 1, 1)).toList(),
        7);
  }

  private KubeObject object(Entry entry) {
    made.add(entry.key());
    return KubeObject.of(Json.object());
  }

  @Test
  void aPartIsMadeOnlyOnceTheOneBeforeIsTaken() {
    List<ObjectList> parts = new ArrayList<>();
    List<CompletableFuture<Void>> taken = new ArrayList<>();
    CompletableFuture<String> all =
        StreamedList.of(
            snapshot(1_200),
            this::object,
            part -> {
              parts.add(part);
              taken.add(new CompletableFuture<>());
              return taken.getLast();
            });
    assertThat(made).hasSize(500);
    taken.get(0).complete(null);
    assertThat(made).hasSize(1_000);
    taken.get(1).complete(null);
    assertThat(all).isNotDone();
    taken.get(2).complete(null);
    assertThat(all).isCompletedWithValue("7");
    assertThat(parts).extracting(part -> part.items().size()).containsExactly(500, 500, 200);
    assertThat(parts).extracting(ObjectList::resourceVersion).containsOnly("7");
    assertThat(made).doesNotHaveDuplicates().hasSize(1_200);
  }

  /** 1,500 pods of 200 KB, parsed 500 at a time, took all of a heap of 512 MB at its next start. */
  @Test
  void aPartOfLargeObjectsHasFewOfThem() {
    byte[] large = new byte[3 << 19];
    List<Entry> entries =
        IntStream.range(0, 7).mapToObj(i -> new Entry("key-" + i, large, 1, 1)).toList();
    Entry tooLarge = new Entry("key-x", new byte[5 << 20], 1, 1);
    Snapshot all = new Snapshot(Stream.concat(entries.stream(), Stream.of(tooLarge)).toList(), 7);
    List<Integer> sizes = new ArrayList<>();
    CompletableFuture<String> done =
        StreamedList.of(
            all,
            this::object,
            part -> {
              sizes.add(part.items().size());
              return CompletableFuture.completedFuture(null);
            });
    assertThat(done).isCompletedWithValue("7");
    assertThat(sizes).containsExactly(2, 2, 2, 1, 1);
  }

  @Test
  void partsThatAreTakenAtOnceTakeNoStack() {
    CompletableFuture<String> all =
        StreamedList.of(
            snapshot(1_000_000),
            _ -> KubeObject.of(Json.object()),
            _ -> CompletableFuture.completedFuture(null));
    assertThat(all).isCompletedWithValue("7");
  }

  @Test
  void whereThereIsNothingThereIsOnePart() {
    List<ObjectList> parts = new ArrayList<>();
    CompletableFuture<String> all =
        StreamedList.of(
            snapshot(0),
            this::object,
            part -> {
              parts.add(part);
              return CompletableFuture.completedFuture(null);
            });
    assertThat(all).isCompletedWithValue("7");
    assertThat(parts).singleElement().satisfies(part -> assertThat(part.items()).isEmpty());
  }

  @Test
  void aPartThatCannotBeMadeIsTold() {
    CompletableFuture<Void> taken = new CompletableFuture<>();
    CompletableFuture<String> all =
        StreamedList.of(
            snapshot(1_200),
            entry -> {
              if (entry.key().equals("key-700")) {
                throw new IllegalStateException("broken");
              }
              return object(entry);
            },
            _ -> taken);
    taken.complete(null);
    assertThatThrownBy(all::join).hasRootCauseMessage("broken");
  }

  @Test
  void aPartThatCannotBeTakenIsTheLast() {
    CompletableFuture<String> all =
        StreamedList.of(
            snapshot(1_200),
            this::object,
            _ -> CompletableFuture.failedFuture(new IllegalStateException("full")));
    assertThatThrownBy(all::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("full");
    assertThat(made).hasSize(500);
  }
}
