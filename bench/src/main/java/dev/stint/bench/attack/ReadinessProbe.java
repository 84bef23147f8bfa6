package dev.stint.bench.attack;

import java.io.IOException;
import javax.net.ssl.SSLContext;

/** Asks {@code /readyz} on a new connection each time, as a kubelet or a load balancer does. */
final class ReadinessProbe implements AutoCloseable {
  private static final int ANSWER_TIMEOUT_MILLIS = 10_000;
  private static final int PERIOD_MILLIS = 50;

  private final ProbeLatencies latencies = new ProbeLatencies();
  private final int port;
  private final SSLContext tls = AttackedServer.tls();
  private final Thread thread;
  private volatile boolean ended;

  ReadinessProbe(int port) {
    this.port = port;
    this.thread = Thread.ofPlatform().name("probe").daemon().start(this::run);
  }

  private void run() {
    while (!ended) {
      long start = System.nanoTime();
      boolean ready = ask();
      double taken = (System.nanoTime() - start) / 1e6;
      if (!ended && ready) {
        latencies.add(taken);
      } else if (!ended) {
        latencies.addFailure(taken);
      }
      pause();
    }
  }

  private boolean ask() {
    try (RawConnection connection =
        RawConnection.tls(RawConnection.BYSTANDER, port, tls, "http/1.1", ANSWER_TIMEOUT_MILLIS)) {
      return connection.send("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n").head().code()
          == 200;
    } catch (IOException failed) {
      return false;
    }
  }

  private void pause() {
    try {
      Thread.sleep(PERIOD_MILLIS);
    } catch (InterruptedException stop) {
      ended = true;
    }
  }

  ProbeLatencies latencies() {
    return latencies;
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
  }
}
