package dev.stint.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SharedRunTest {
  @Test
  void onlyItsOwnEndIsAReport() {
    List<String> output =
        List.of(
            "stint: work-1: started, logs in /data/logs/default/work-1",
            "stint: work-1: 3 of 24 succeeded",
            "stint: work-1: resumed, 7 of 24 succeeded",
            "stint: work-10: Complete in 5s, 24 of 24 succeeded",
            "stint: work-1: Complete in 5s, 24 of 24 succeeded");
    assertThat(SharedRun.reports("work-1", output)).isEqualTo(1);
    assertThat(SharedRun.reports("work-2", output)).isZero();
  }
}
