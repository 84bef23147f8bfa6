package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTest {
  @Test
  void aTokenSaysWhereToGoOn() {
    Position position = new Position(42, "/registry/batch/jobs/default/a:b");
    assertThat(Position.of(position.token())).isEqualTo(position);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nope", "", "=", "MTI", "eDovYQ", "MTp4", "é"})
  void whatIsNoTokenIsABadRequest(String token) {
    assertThatThrownBy(() -> Position.of(token))
        .isInstanceOf(ClusterException.class)
        .hasMessage("continue key is not valid: leave it out to list from the start");
  }
}
