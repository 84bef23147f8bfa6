package dev.stint.testkit;

import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Gate;
import dev.stint.apiserver.http.Peer;
import dev.stint.apiserver.http.Reply;
import java.io.IOException;
import java.time.Duration;

/**
 * Lets no request see a state in between: each waits until all that came before it, and all that
 * follows from that without time passing, is done. So a client that creates a Job and then asks for
 * its pods finds them.
 */
final class SettlingGate implements Gate {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Gate gate;
  private final Driver driver;

  SettlingGate(Gate gate, Driver driver) {
    this.gate = gate;
    this.driver = driver;
  }

  @Override
  public Reply answer(Call call, Peer peer) throws IOException {
    driver.enter();
    try {
      Answers.within(PATIENCE, driver.rest(), "the control plane did not come to rest");
      return gate.answer(call, peer);
    } finally {
      driver.leave();
    }
  }
}
