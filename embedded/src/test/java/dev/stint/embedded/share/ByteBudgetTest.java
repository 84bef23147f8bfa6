package dev.stint.embedded.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
  private final ByteBudget budget = new ByteBudget(100, 60);
  private final List<String> ended = new ArrayList<>();

  private ByteBudget.Share share(String name, long taken) {
    ByteBudget.Share share = budget.share();
    share.onEnd(_ -> ended.add(name));
    assertThat(share.take(taken)).isTrue();
    return share;
  }

  @Test
  void theLargestGoesWhenAllTogetherAreTooLarge() {
    ByteBudget.Share small = share("small", 30);
    ByteBudget.Share large = share("large", 50);
    ByteBudget.Share healthy = share("healthy", 1);
    assertThat(healthy.take(20)).isTrue();
    assertThat(ended).containsExactly("large");
    assertThat(large.take(1)).as("it is closed").isFalse();
    assertThat(small.take(25)).isTrue();
    assertThat(ended).containsExactly("large");
  }

  @Test
  void asManyGoAsAreNeeded() {
    share("one", 50);
    share("two", 45);
    share("three", 2);
    ByteBudget.Share next = share("next", 0);
    assertThat(next.take(55)).as("it would be the largest itself").isFalse();
    assertThat(ended).isEmpty();
    assertThat(next.take(44)).isTrue();
    assertThat(ended).containsExactly("one");
    assertThat(next.take(10)).as("it would be the largest itself").isFalse();
  }

  @Test
  void oneThatTakesTooMuchAloneEndsNobody() {
    ByteBudget.Share other = share("other", 60);
    ByteBudget.Share greedy = share("greedy", 30);
    assertThat(greedy.take(31)).isFalse();
    assertThat(ended).isEmpty();
    other.give(60);
    assertThat(greedy.take(30)).isTrue();
  }

  @Test
  void withoutAnEndNobodyGoes() {
    ByteBudget.Share first = budget.share();
    ByteBudget.Share second = budget.share();
    assertThat(first.take(60)).isTrue();
    assertThat(second.take(41)).isFalse();
    first.close();
    assertThat(second.take(41)).isTrue();
  }
}
