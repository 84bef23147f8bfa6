package dev.stint.runner;

import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.token.PodApi;
import dev.stint.runner.token.PodTokens;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the tokens of a running pod: when most of their life is over, and when the pod is taken
 * over, since nobody knows how old they are then. Pods without tokens cost nothing. On the loop
 * only.
 */
final class TokenRenewal {
  private static final Logger LOG = LoggerFactory.getLogger(TokenRenewal.class);

  /** The part of a token's life after which a kubelet renews it. */
  private static final double USED = 0.8;

  /**
   * The time between two looks at the clock, since timers stand still while a machine sleeps and
   * the life of a token does not.
   */
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final NodePorts node;
  private final PodLife life;
  private final PodApi api;
  private final PodTokens tokens;
  private int failures;
  private boolean closed;
  private Runnable cancelNext = () -> {};

  private TokenRenewal(NodePorts node, PodLife life, PodApi api) {
    this.node = node;
    this.life = life;
    this.api = api;
    this.tokens = life.inputs().tokens();
  }

  /**
   * Starts to renew the tokens of a pod, if it has any.
   *
   * @param takenOver true if its volumes may hold older tokens
   * @return ends it
   */
  static Runnable start(NodePorts node, PodLife life, boolean takenOver) {
    PodApi api = node.options().api();
    if (api == null || TokenFetch.isNeedless(node, life.pod())) {
      return () -> {};
    }
    TokenRenewal renewal = new TokenRenewal(node, life, api);
    if (!renewal.tokens.isComplete()) {
      renewal.retry(renewal.tokens.firstReason());
    } else if (takenOver) {
      renewal.write();
    } else {
      renewal.renewLater();
    }
    return renewal::close;
  }

  private void close() {
    closed = true;
    cancelNext.run();
  }

  private void renewLater() {
    Instant now = node.now();
    long left = Duration.between(now, tokens.firstExpiry().orElseThrow()).toMillis();
    renewAt(now.plusMillis((long) (left * USED)));
  }

  private void renewAt(Instant due) {
    Duration left = Duration.between(node.now(), due);
    if (left.compareTo(LOOK) <= 0) {
      cancelNext = node.after(left, this::renew);
    } else {
      cancelNext = node.after(LOOK, () -> renewAt(due));
    }
  }

  private void renew() {
    TokenFetch.start(node, api, life.pod(), this::onIssued);
  }

  private void onIssued(PodTokens fresh) {
    if (closed) {
      return;
    }
    if (!fresh.isComplete()) {
      retry(fresh.firstReason());
    } else {
      tokens.renew(fresh);
      write();
    }
  }

  private void write() {
    node.whenDone(
        node.runtime().renewTokens(life.pod(), life.inputs()),
        failure -> {
          if (closed) {
            return;
          }
          if (failure == null) {
            failures = 0;
            renewLater();
          } else {
            retry(failure.toString());
          }
        });
  }

  private void retry(String why) {
    failures++;
    LOG.warn(
        "Cannot renew the tokens of pod {} (try {}); trying again: {}",
        life.pod().ref(),
        failures,
        why);
    cancelNext = node.after(RetryDelays.CRASH_LOOP.delay(failures), this::renew);
  }
}
