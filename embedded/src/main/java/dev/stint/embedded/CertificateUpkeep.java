package dev.stint.embedded;

import dev.stint.apiserver.access.pki.EndpointKeys;
import dev.stint.cluster.Timers;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the certificate of a server that runs for longer than that is valid, and warns once a day
 * of what else is about to expire. It looks at the clock, which may have been wrong at the start.
 */
final class CertificateUpkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateUpkeep.class);
  static final Duration EVERY = Duration.ofHours(1);

  /** Takes a context with a new certificate into use. */
  @FunctionalInterface
  interface Renewal {
    void use(SSLContext tls) throws IOException;
  }

  private final EndpointKeys keys;
  private final Renewal renewal;
  private final InstantSource clock;
  private final Timers timers;
  private final Executor worker;
  private @Nullable LocalDate warned;
  private boolean renewed;
  private boolean closed;
  private Runnable cancel = () -> {};

  /**
   * @param worker makes keys, which takes some milliseconds
   */
  CertificateUpkeep(
      EndpointKeys keys, Renewal renewal, InstantSource clock, Timers timers, Executor worker) {
    this.keys = keys;
    this.renewal = renewal;
    this.clock = clock;
    this.timers = timers;
    this.worker = worker;
  }

  /** Looks now and then from now on. */
  synchronized void start() {
    if (!closed) {
      cancel = timers.within(EVERY, () -> worker.execute(this::look));
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    cancel.run();
  }

  private synchronized void look() {
    Instant now = clock.instant();
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    try {
      renew(now);
      if (!today.equals(warned)) {
        keys.warnings(now).forEach(warning -> LOG.warn("Soon to expire: {}", warning));
      }
    } catch (GeneralSecurityException | IOException fault) {
      if (!today.equals(warned)) {
        LOG.error("Cannot renew the server's certificate; trying again", fault);
      }
    }
    warned = today;
    start();
  }

  private void renew(Instant now) throws GeneralSecurityException, IOException {
    renewed |= keys.renewServer(now);
    if (renewed) {
      renewal.use(keys.serverContext());
      renewed = false;
      LOG.info("The server has a new certificate, since the former one was about to expire");
    }
  }
}
