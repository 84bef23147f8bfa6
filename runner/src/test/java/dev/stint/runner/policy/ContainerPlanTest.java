package dev.stint.runner.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.ContainerRole;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ContainerPlanTest {
  /** A container as a plan sees it. */
  private record Some(
      String name,
      ContainerRole role,
      boolean hasBegun,
      boolean isLive,
      @Nullable Integer code,
      boolean hasPassed)
      implements ContainerPlan.Part {
    static Some fresh(String name, ContainerRole role) {
      return new Some(name, role, false, false, null, false);
    }

    Some running() {
      return new Some(name, role, true, true, null, role == ContainerRole.SIDECAR);
    }

    Some waiting() {
      return new Some(name, role, true, false, null, role == ContainerRole.SIDECAR);
    }

    Some done(int code) {
      return new Some(name, role, true, false, code, code == 0);
    }

    @Override
    public Optional<Exit> finalExit() {
      return Optional.ofNullable(code)
          .map(found -> Exit.of(found, null, Instant.EPOCH, Instant.EPOCH));
    }
  }

  private final Some init = Some.fresh("init", ContainerRole.INIT);
  private final Some side = Some.fresh("side", ContainerRole.SIDECAR);
  private final Some late = Some.fresh("late", ContainerRole.SIDECAR);
  private final Some main = Some.fresh("main", ContainerRole.MAIN);
  private final Some other = Some.fresh("other", ContainerRole.MAIN);

  @Test
  void oneInitContainerIsStartedAtATime() {
    assertThat(plan(init, side, main).start()).containsExactly(init);
    assertThat(plan(init.running(), side, main).start()).isEmpty();
    assertThat(plan(init.waiting(), side, main).start()).isEmpty();
    assertThat(plan(init.done(0), side, main).start()).containsExactly(side);
  }

  @Test
  void mainContainersStartTogetherOnceAllBeforeThemPassed() {
    assertThat(plan(init.done(0), side.running(), main, other).start())
        .containsExactly(main, other);
    assertThat(plan(side.waiting(), main, other.running()).start()).containsExactly(main);
  }

  @Test
  void anInitContainerThatFailedForGoodEndsThePodAndTheSidecarsBeforeIt() {
    ContainerPlan<Some> plan = plan(side.running(), init.done(1), late, main);
    assertThat(plan.ending()).isTrue();
    assertThat(plan.start()).isEmpty();
    assertThat(plan.stop()).extracting(Some::name).containsExactly("side");
    assertThat(plan(side.done(143), init.done(1), late, main).done()).isTrue();
  }

  @Test
  void sidecarsEndOneByOneInReverseWhenTheWorkIsDone() {
    assertThat(plan(side.running(), late.running(), main.done(0)).stop())
        .extracting(Some::name)
        .containsExactly("late");
    assertThat(plan(side.running(), late.done(143), main.done(0)).stop())
        .extracting(Some::name)
        .containsExactly("side");
    assertThat(plan(side.done(143), late.done(143), main.done(0)).done()).isTrue();
  }

  @Test
  void oneMainContainerThatEndedDoesNotEndThePod() {
    ContainerPlan<Some> plan = plan(side.running(), main.done(1), other.running());
    assertThat(plan.ending()).isFalse();
    assertThat(plan.done()).isFalse();
    assertThat(plan.stop()).isEmpty();
  }

  @Test
  void aPodThatIsToEndEndsItsWorkersTogetherBeforeItsSidecars() {
    List<Some> parts = List.of(side.running(), main.running(), other.running());
    assertThat(ContainerPlan.of(parts, true).stop())
        .extracting(Some::name)
        .containsExactly("main", "other");
    List<Some> later = List.of(side.running(), main.done(143), other.waiting());
    assertThat(ContainerPlan.of(later, true).stop()).extracting(Some::name).containsExactly("side");
    assertThat(ContainerPlan.of(List.of(side, main), true).done()).isTrue();
  }

  private static ContainerPlan<Some> plan(Some... parts) {
    return ContainerPlan.of(List.of(parts), false);
  }
}
