package dev.stint.runner.container;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import dev.stint.model.Json;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import dev.stint.runner.container.daemon.ImageRef;
import dev.stint.runner.container.daemon.LocalImage;
import dev.stint.runner.container.daemon.PullSecrets.Credentials;
import dev.stint.runner.runtime.AttemptListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gets images. Concurrent requests for one image share one pull. A pod gets an image that is there
 * without a pull only if it could pull it, see {@link PulledImages}.
 */
final class ImagePuller {
  private static final Logger LOG = LoggerFactory.getLogger(ImagePuller.class);
  private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(10);

  /** An image is not available, for now. */
  static final class NotThere extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    NotThere(String reason, String message) {
      super(message);
      this.reason = reason;
    }

    /** Returns the reason as a kubelet words it, such as {@code ErrImagePull}. */
    String reason() {
      return reason;
    }
  }

  /**
   * An image that was requested.
   *
   * @param pull the duration of its pull; null if it was present
   */
  record Got(LocalImage image, @Nullable Duration pull) {}

  private record Pull(ImageRef image, List<Credentials> credentials) {}

  /** The images of a daemon. */
  interface Images {
    LocalImage image(String name) throws DaemonException;

    /** Starts to pull an image, see {@link Daemon#pull}. */
    Response pull(ImageRef image, @Nullable Credentials credentials) throws DaemonException;

    static Images of(Daemon daemon) {
      return new Images() {
        @Override
        public LocalImage image(String name) throws DaemonException {
          return daemon.image(name);
        }

        @Override
        public Response pull(ImageRef image, @Nullable Credentials credentials)
            throws DaemonException {
          return daemon.pull(image, credentials);
        }
      };
    }
  }

  private final Images daemon;
  private final PulledImages pulled;
  private final Executor threads;
  private final InstantSource clock;
  private final Map<Pull, CompletableFuture<Got>> underWay = new ConcurrentHashMap<>();

  /**
   * @param threads run tasks that may wait
   */
  ImagePuller(Images daemon, PulledImages pulled, Executor threads, InstantSource clock) {
    this.daemon = daemon;
    this.pulled = pulled;
    this.threads = threads;
    this.clock = clock;
  }

  /**
   * Gets an image.
   *
   * @param credentials the credentials to try in turn; none for an anonymous pull
   * @param pulling called before a pull
   * @return the image, or fails with {@link NotThere}, or with {@link DaemonException}
   */
  CompletableFuture<Got> get(
      ImageRef image, PullPolicy policy, List<Credentials> credentials, Runnable pulling) {
    CompletableFuture<Got> got = new CompletableFuture<>();
    threads.execute(() -> {
      try {
        LocalImage there = policy == PullPolicy.ALWAYS ? null : find(image);
        if (there != null && pulled.mayUse(there, image, credentials)) {
          got.complete(new Got(there, null));
        } else if (policy == PullPolicy.NEVER) {
          throw neverPulled(image, there != null);
        } else {
          pulling.run();
          pullOnce(new Pull(image, credentials), got);
        }
      } catch (NotThere | DaemonException | RuntimeException fault) {
        got.completeExceptionally(fault);
      }
    });
    return got;
  }

  /** Returns the ID of an image, by its name or ID; the name if the daemon does not know it. */
  String id(String name) throws DaemonException {
    try {
      return daemon.image(name).id();
    } catch (DaemonException fault) {
      if (fault.reason() == Reason.AWAY) {
        throw fault;
      }
      return name;
    }
  }

  private @Nullable LocalImage find(ImageRef image) throws DaemonException {
    try {
      return daemon.image(image.toString());
    } catch (DaemonException fault) {
      if (fault.reason() == Reason.MISSING) {
        return null;
      }
      throw fault;
    }
  }

  private void pullOnce(Pull wanted, CompletableFuture<Got> got) {
    CompletableFuture<Got> mine = new CompletableFuture<>();
    CompletableFuture<Got> other = underWay.putIfAbsent(wanted, mine);
    CompletableFuture<Got> pulled = other == null ? mine : other;
    var _ =
        pulled.whenComplete((image, fault) -> {
          if (fault == null) {
            got.complete(image);
          } else {
            got.completeExceptionally(fault);
          }
        });
    if (other != null) {
      return;
    }
    try {
      Got image = pull(wanted);
      underWay.remove(wanted);
      mine.complete(image);
    } catch (NotThere | DaemonException | RuntimeException fault) {
      underWay.remove(wanted);
      mine.completeExceptionally(fault);
    }
  }

  private static NotThere neverPulled(ImageRef image, boolean present) {
    String why =
        present
            ? "was pulled with credentials that this pod does not have, and is not pulled"
            : "is not present";
    return new NotThere(
        AttemptListener.ERR_IMAGE_NEVER_PULL,
        "Container image \"%s\" %s with pull policy of Never".formatted(image, why));
  }

  /** Pulls an image, and records with which credentials, and before it that it does. */
  private Got pull(Pull wanted) throws NotThere, DaemonException {
    if (wanted.credentials().isEmpty()) {
      return pullWithAny(wanted); // Whatever comes of it is for all pods.
    }
    try {
      pulled.begin(wanted.image());
    } catch (IOException fault) {
      pulled.onCutOff(wanted.image());
      throw notPulled(wanted.image(), "cannot record that it is pulled: " + fault);
    }
    try {
      return pullWithAny(wanted);
    } catch (NotThere fault) {
      record(wanted.image(), () -> pulled.onFailure(wanted.image()));
      throw fault;
    } catch (DaemonException | RuntimeException fault) {
      pulled.onCutOff(wanted.image());
      throw fault;
    }
  }

  /** A change of the record; its failure only means that more pods pull than must. */
  private interface Change {
    void run() throws IOException;
  }

  private static void record(ImageRef image, Change change) {
    try {
      change.run();
    } catch (IOException fault) {
      LOG.warn(
          "Cannot record how the pull of {} ended; other pods pull it again: {}",
          image,
          fault.toString());
    }
  }

  private Got pullWithAny(Pull wanted) throws NotThere, DaemonException {
    List<@Nullable Credentials> tries = new ArrayList<>(wanted.credentials());
    if (tries.isEmpty()) {
      tries.add(null);
    }
    LOG.info("Pulling image {}", wanted.image());
    Instant start = clock.instant();
    NotThere last = null;
    for (Credentials credentials : tries) {
      try {
        pull(wanted.image(), credentials);
        Duration took = Duration.between(start, clock.instant());
        LOG.info("Pulled image {} in {} s", wanted.image(), took.toSeconds());
        LocalImage image = daemon.image(wanted.image().toString());
        record(wanted.image(), () -> onPulled(wanted.image(), image, credentials));
        return new Got(image, took);
      } catch (NotThere fault) {
        last = fault;
      }
    }
    LOG.warn("Cannot pull image {}: {}", wanted.image(), last == null ? "" : last.getMessage());
    throw java.util.Objects.requireNonNull(last);
  }

  private void onPulled(ImageRef name, LocalImage image, @Nullable Credentials credentials)
      throws IOException {
    if (credentials == null) {
      pulled.onPulled(image);
    } else {
      pulled.onPulled(name, image, credentials);
    }
  }

  private void pull(ImageRef image, @Nullable Credentials credentials)
      throws NotThere, DaemonException {
    try (Response response = daemon.pull(image, credentials);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(response.getBody(), StandardCharsets.UTF_8))) {
      Instant reported = clock.instant();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        ObjectNode news = line.isBlank() ? Json.object() : Json.parse(line);
        String error = Json.text(news, "error");
        if (error != null && !error.isEmpty()) {
          throw notPulled(image, error);
        }
        Instant now = clock.instant();
        if (Duration.between(reported, now).compareTo(BETWEEN_REPORTS) >= 0) {
          reported = now;
          LOG.info("Pulling image {}: {}", image, progress(news));
        }
      }
    } catch (DaemonException fault) {
      if (fault.reason() == Reason.AWAY) {
        throw fault;
      }
      throw notPulled(image, fault.text());
    } catch (IOException | JacksonException fault) {
      throw new DaemonException(Reason.AWAY, "the pull was cut off: " + fault, fault);
    }
  }

  private static NotThere notPulled(ImageRef image, String why) {
    return new NotThere(
        AttemptListener.ERR_IMAGE_PULL, "Failed to pull image \"%s\": %s".formatted(image, why));
  }

  /** Returns a line such as {@code a1b2c3: Downloading [====> ] 5MB/9MB}. */
  private static String progress(ObjectNode news) {
    StringBuilder text = new StringBuilder();
    for (String member : List.of("id", "status", "stream", "progress")) {
      String part = Json.text(news, member);
      if (part != null && !part.isBlank()) {
        text.append(text.isEmpty() ? "" : " ").append(part.strip());
      }
    }
    return text.toString();
  }
}
