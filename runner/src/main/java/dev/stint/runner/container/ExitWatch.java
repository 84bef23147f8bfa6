package dev.stint.runner.container;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import dev.stint.cluster.Timers;
import dev.stint.model.Json;
import dev.stint.runner.container.daemon.ContainerInspection;
import dev.stint.runner.container.daemon.ContainerLabels;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.runtime.RetryDelays;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Watches for the ends of containers by the daemon's events, one stream for all. Events are lost
 * while the daemon, or the connection to it, is away, and some daemons have none. So it also lists
 * the running containers, when the stream begins and every few seconds.
 */
final class ExitWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExitWatch.class);
  private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(5);

  private final Daemon daemon;
  private final String dataDir;
  private final Executor threads;
  private final Timers timers;

  /**
   * A watched container.
   *
   * @param onEnd called when it may have ended
   * @param onReturn called when the daemon was away
   */
  private record Watched(Runnable onEnd, Runnable onReturn) {}

  /** The watched containers, by ID. */
  private final Map<String, Watched> watched = new ConcurrentHashMap<>();

  private volatile boolean closed;
  private volatile @Nullable Response stream;
  private int failures;

  ExitWatch(Daemon daemon, String dataDir, Executor threads, Timers timers) {
    this.daemon = daemon;
    this.dataDir = dataDir;
    this.threads = threads;
    this.timers = timers;
  }

  void open() {
    threads.execute(this::listen);
    timers.after(BETWEEN_CHECKS, () -> threads.execute(this::checkAgain));
  }

  /**
   * Calls back when a container may have ended; maybe more than once, until it is removed.
   *
   * @param onEnd must not wait
   */
  void add(String id, Runnable onEnd) {
    add(id, onEnd, () -> {});
  }

  /**
   * Calls back when a container may have ended, or the daemon was away.
   *
   * @param onReturn called when the daemon was away and answers again; must not wait
   */
  void add(String id, Runnable onEnd, Runnable onReturn) {
    watched.put(id, new Watched(onEnd, onReturn));
  }

  void remove(String id) {
    watched.remove(id);
  }

  @Override
  public void close() {
    closed = true;
    Response open = stream;
    if (open != null) {
      open.close();
    }
  }

  private void listen() {
    try (Response response = daemon.events(ContainerLabels.DATA_DIR, dataDir);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(response.getBody(), StandardCharsets.UTF_8))) {
      stream = response;
      if (failures > 0) {
        LOG.info("The container daemon answers again");
        // A container that it lists as running may have ended while it was away.
        watched.values().forEach(each -> each.onReturn().run());
      }
      failures = 0;
      check();
      for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
        onEvent(line);
      }
    } catch (DaemonException | IOException | RuntimeException fault) {
      if (!closed && failures == 0) {
        LOG.warn("The container daemon does not answer; retrying: {}", fault.getMessage());
      }
    }
    if (!closed) {
      failures++;
      timers.after(RetryDelays.REQUEST.delay(failures), () -> threads.execute(this::listen));
    }
  }

  private void onEvent(String line) {
    try {
      ObjectNode event = Json.parse(line);
      String status = Json.text(event, "Action");
      if ("die".equals(status) || "died".equals(status)) {
        Watched container =
            watched.get(String.valueOf(Json.text(Json.objectAt(event, "Actor"), "ID")));
        if (container != null) {
          container.onEnd().run();
        }
      }
    } catch (JacksonException odd) {
      LOG.debug("Ignoring an invalid event of the container daemon: {}", line);
    }
  }

  private void checkAgain() {
    if (closed) {
      return;
    }
    try {
      check();
    } catch (DaemonException away) {
      LOG.debug("Cannot list the running containers: {}", away.text());
    }
    timers.after(BETWEEN_CHECKS, () -> threads.execute(this::checkAgain));
  }

  private void check() throws DaemonException {
    // Copied first: a container that is added later may not be in the list yet.
    Map<String, Watched> asked = Map.copyOf(watched);
    if (asked.isEmpty()) {
      return;
    }
    Set<String> running = new HashSet<>();
    for (Daemon.Listed each : daemon.list(ContainerLabels.DATA_DIR, dataDir)) {
      if (each.state() != ContainerInspection.State.ENDED) {
        running.add(each.id());
      }
    }
    asked.forEach((id, container) -> {
      if (!running.contains(id)) {
        container.onEnd().run();
      }
    });
  }
}
