package dev.stint.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.slf4j.ILoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;
import org.slf4j.helpers.SubstituteLoggerFactory;

class LoggingTest {
  @Test
  void anotherThreadMayBeInitialisingIt() {
    LoggerContext ready = new LoggerContext();
    Queue<ILoggerFactory> bound =
        new ArrayDeque<>(
            List.of(new SubstituteLoggerFactory(), new SubstituteLoggerFactory(), ready));
    assertThat(Logging.context(bound::remove)).isSameAs(ready);
  }

  @Test
  void anotherLibraryIsNamed() {
    assertThatThrownBy(() -> Logging.context(NOPLoggerFactory::new))
        .hasMessageContaining("NOPLoggerFactory");
  }
}
