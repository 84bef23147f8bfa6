package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class PointMutationsTest {
  private static final String TYPE = "engine.policy.MaxFailedIndexes";

  @Test
  void eachPlaceIsChangedOnceInEachWay() throws ClassNotFoundException {
    assertThat(PointMutations.of(TYPE))
        .extracting(Mutation::name)
        .doesNotHaveDuplicates()
        .anyMatch(name -> name.contains("negates a condition"))
        .anyMatch(name -> name.contains("moves a boundary"));
  }

  @Test
  void eachChangeIsValidCode() throws ClassNotFoundException {
    MutatedCode code = new MutatedCode(PointMutations.of(TYPE));
    for (Mutation change : PointMutations.of(TYPE)) {
      assertThatCode(() -> code.player(change)).as(change.key()).doesNotThrowAnyException();
    }
  }
}
