package dev.stint.apiserver.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.flowcontrol.StreamLimits.Sort;
import dev.stint.cluster.ClusterException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One user may not hold all watches, logs and sessions. */
class StreamLimitsTest {
  private static final User JANE = User.of("jane", User.AUTHENTICATED);
  private static final User ADMIN = User.of("admin", "system:masters", User.AUTHENTICATED);

  private final StreamLimits limits = new StreamLimits(10_000, 200);

  @Test
  void aUserHasAShareOfEachSort() {
    assertThat(held(JANE, Sort.WATCH)).isEqualTo(2500);
    assertThat(held(JANE, Sort.LOG)).isEqualTo(208);
    assertThat(held(JANE, Sort.SESSION)).isEqualTo(50);
    assertThat(held(User.of("joe", User.AUTHENTICATED), Sort.SESSION)).isEqualTo(50);
  }

  @Test
  void anonymousUsersHaveTheSmallestShare() {
    assertThat(held(User.ANONYMOUS, Sort.WATCH)).isEqualTo(100);
    assertThat(held(User.ANONYMOUS, Sort.LOG)).isEqualTo(8);
    assertThat(held(User.ANONYMOUS, Sort.SESSION)).isEqualTo(12);
  }

  @Test
  void administratorsHaveNoLimit() {
    held(JANE, Sort.SESSION);
    for (int i = 0; i < 100; i++) {
      limits.open(ADMIN, Sort.SESSION);
    }
  }

  @Test
  void whatEndsMakesRoomOnce() {
    List<Runnable> ends = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ends.add(limits.open(JANE, Sort.SESSION));
    }
    ends.getFirst().run();
    ends.getFirst().run();
    limits.open(JANE, Sort.SESSION);
    assertThatThrownBy(() -> limits.open(JANE, Sort.SESSION))
        .isInstanceOf(ClusterException.class)
        .hasMessage(
            "user \"jane\" has 50 sessions in containers, which is the limit for one user; end some of"
                + " them, or try again later");
  }

  private int held(User user, Sort sort) {
    for (int count = 0; ; count++) {
      try {
        limits.open(user, sort);
      } catch (ClusterException refusal) {
        assertThat(refusal.reason().code()).isEqualTo(429);
        return count;
      }
    }
  }
}
