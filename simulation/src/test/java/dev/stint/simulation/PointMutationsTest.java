package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PointMutationsTest {
  private static final String TYPE = "engine.policy.MaxFailedIndexes";

  private static List<Mutation> changes() throws IOException {
    try (InputStream in =
        PointMutationsTest.class.getResourceAsStream(
            "/" + (ReloadedClasses.OURS + TYPE).replace('.', '/') + ".class")) {
      return PointMutations.of(TYPE, Objects.requireNonNull(in).readAllBytes());
    }
  }

  @Test
  void eachPlaceIsChangedOnceInEachWay() throws IOException {
    assertThat(changes())
        .extracting(Mutation::name)
        .doesNotHaveDuplicates()
        .anyMatch(name -> name.contains("negates a condition"))
        .anyMatch(name -> name.contains("moves a boundary"));
  }

  @Test
  void eachChangeIsValidCode() throws IOException {
    MutatedCode code = new MutatedCode(changes());
    for (Mutation change : changes()) {
      assertThatCode(() -> code.player(change)).as(change.key()).doesNotThrowAnyException();
    }
  }
}
