package dev.stint.reconcile;

import static dev.stint.reconcile.Precedence.BEGINNING;
import static dev.stint.reconcile.Precedence.CONTINUING;
import static dev.stint.reconcile.Precedence.TELLING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrecedenceQueueTest {
  private final PrecedenceQueue<String> queue = new PrecedenceQueue<>();

  private String removed(int count) {
    return String.join(" ", IntStream.range(0, count).mapToObj(_ -> queue.remove()).toList());
  }

  @Test
  void whatContinuesGoesBeforeWhatBeginsAndEventsGoLast() {
    queue.add(TELLING, "event");
    queue.add(BEGINNING, "pod");
    queue.add(CONTINUING, "status");
    assertThat(removed(3)).isEqualTo("status pod event");
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void thoseOfTheSamePrecedenceGoInTheOrderOfTheirArrival() {
    queue.add(BEGINNING, "a");
    queue.add(BEGINNING, "b");
    assertThat(queue.remove()).isEqualTo("a");
    queue.add(BEGINNING, "c");
    assertThat(removed(2)).isEqualTo("b c");
  }

  @Test
  void noneIsStarved() {
    for (int i = 0; i < 32; i++) {
      queue.add(CONTINUING, "s");
      queue.add(BEGINNING, "p");
      queue.add(TELLING, "e");
    }
    assertThat(removed(32).replace(" ", "")).isEqualTo("ssspssspssspssse".repeat(2));
  }

  @Test
  void aTurnOfWhatDoesNotWaitIsGivenToOthers() {
    for (int i = 0; i < 16; i++) {
      queue.add(CONTINUING, "s");
    }
    assertThat(removed(16)).isEqualTo(String.join(" ", Collections.nCopies(16, "s")));
  }

  @Test
  void thoseThatBecomeManyGetEverySecondTurn() {
    for (int i = 0; i < PrecedenceQueue.MANY + 8; i++) {
      queue.add(TELLING, "e");
    }
    for (int i = 0; i < 32; i++) {
      queue.add(CONTINUING, "s");
    }
    assertThat(removed(16)).isEqualTo("e s e s e s e s e s e s e s e e");
  }
}
