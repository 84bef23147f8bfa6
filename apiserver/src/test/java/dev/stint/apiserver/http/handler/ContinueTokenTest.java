package dev.stint.apiserver.http.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContinueTokenTest {
  @Test
  void aTokenSaysWhereToGoOn() {
    ContinueToken position = new ContinueToken(42, "/registry/batch/jobs/default/a:b");
    assertThat(ContinueToken.of(position.token())).isEqualTo(position);
    assertThat(position.asOf()).isEqualTo(42);
  }

  @Test
  void aTokenMayGoOnAtTheNewestRevision() {
    ContinueToken position = ContinueToken.atNewest("/registry/batch/jobs/default/a");
    assertThat(ContinueToken.of(position.token())).isEqualTo(position);
    assertThat(position.asOf()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nope", "", "=", "MTI", "eDovYQ", "MTp4", "é"})
  void whatIsNoTokenIsABadRequest(String token) {
    assertThatThrownBy(() -> ContinueToken.of(token))
        .isInstanceOf(ClusterException.class)
        .hasMessage("continue key is not valid: omit it to list from the start");
  }
}
