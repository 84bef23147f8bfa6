package dev.stint.console.simulation;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Sha256;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers how long a Job would take if it ran again. One simulation runs at a time, on a thread of
 * its own, since those of requests are shared by all clients. It ends when its client goes away.
 */
public final class Simulations {
  private static final Logger LOG = LoggerFactory.getLogger(Simulations.class);
  private static final String BUSY = "another simulation is running; try again in a moment";
  private static final String FAULT = "the simulation has failed; see the log of this server";
  private static final int MOST_PICTURES = 8;

  /** The interval of spaces before the answer: over HTTP/1.1 only a write tells who has gone. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);

  private static final byte[] SPACE = {' '};

  /** The picture has a style of its own, and nothing else. */
  private static final List<ApiResponse.Header> OF_PICTURE =
      List.of(
          new ApiResponse.Header(
              "Content-Security-Policy",
              "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"));

  private final @Nullable JobSimulator simulator;
  private final Duration heartbeat;
  private final Semaphore turn = new Semaphore(1);

  /** The last pictures, by their digests. Guarded by itself. */
  private final Map<String, byte[]> pictures =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
          return size() > MOST_PICTURES;
        }
      };

  /** Reads the attempts of a Job. */
  @FunctionalInterface
  public interface Attempts {
    List<ContainerAttemptView> read() throws IOException;
  }

  /**
   * @param simulator null if nothing is simulated here
   */
  public Simulations(@Nullable JobSimulator simulator) {
    this(simulator, HEARTBEAT);
  }

  Simulations(@Nullable JobSimulator simulator, Duration heartbeat) {
    this.simulator = simulator;
    this.heartbeat = heartbeat;
  }

  /** True if Jobs are simulated here. */
  public boolean areOffered() {
    return simulator != null;
  }

  /** Returns the response with what a Job's simulation gives, or with why there is nothing. */
  public ApiResponse of(KubeObject job, Attempts attempts) {
    JobSimulator asked = simulator;
    if (asked == null) {
      return ApiResponse.json(404, Json.object().put("error", "nothing is simulated here"));
    }
    String obstacle = asked.obstacle(job);
    return obstacle.isEmpty()
        ? new ApiResponse.Streamed(
            200, ApiResponse.JSON, sink -> answer(sink, job, asked, attempts), List.of())
        : ApiResponse.json(200, none(obstacle, job, asked));
  }

  private static ObjectNode none(String why, KubeObject job, JobSimulator simulator) {
    return Json.object().put("why", why).put("command", simulator.command(job));
  }

  private void answer(
      ApiResponse.Sink sink, KubeObject job, JobSimulator simulator, Attempts attempts)
      throws IOException, InterruptedException {
    AtomicBoolean gone = new AtomicBoolean();
    sink.onClose(() -> gone.set(true));
    Prediction prediction = inTurn(simulator, job, attempts, new Caller(sink, gone));
    ObjectNode tree =
        switch (prediction) {
          case Prediction.None(String why) -> none(why, job, simulator);
          case Prediction.Runs runs ->
              runs.json()
                  .put("command", simulator.command(job))
                  .put("picture", "simulations/" + kept(runs.picture()));
        };
    sink.write(Json.bytes(tree));
  }

  private Prediction inTurn(
      JobSimulator simulator, KubeObject job, Attempts attempts, Caller caller)
      throws IOException, InterruptedException {
    if (!turn.tryAcquire()) {
      return new Prediction.None(BUSY);
    }
    FutureTask<Prediction> task =
        new FutureTask<>(() -> {
          try {
            return simulator.simulate(job, attempts.read(), caller::check);
          } finally {
            turn.release();
          }
        });
    start(task);
    return result(task, caller);
  }

  private void start(Runnable task) {
    try {
      Thread.ofPlatform().name("stint-simulation").daemon().start(task);
    } catch (OutOfMemoryError noThread) {
      turn.release();
      throw noThread;
    }
  }

  private Prediction result(FutureTask<Prediction> task, Caller caller)
      throws IOException, InterruptedException {
    try {
      while (true) {
        try {
          return task.get(heartbeat.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException goesOn) {
          caller.sink().write(SPACE);
        }
      }
    } catch (ExecutionException failed) {
      if (caller.gone().get()) {
        throw new InterruptedIOException("the client has gone");
      }
      LOG.warn("A simulation failed", failed.getCause());
      return new Prediction.None(FAULT);
    } finally {
      caller.gone().set(true);
    }
  }

  /** The client that waits for a prediction. */
  private record Caller(ApiResponse.Sink sink, AtomicBoolean gone) {
    void check() {
      if (gone.get()) {
        throw new CancellationException("the client has gone");
      }
    }
  }

  /** Keeps a picture for the browser, which loads it by itself, and returns its name. */
  private String kept(String picture) {
    byte[] svg = picture.getBytes(StandardCharsets.UTF_8);
    String name = Sha256.hex(svg) + ".svg";
    synchronized (pictures) {
      pictures.remove(name); // Otherwise it would keep its old place.
      pictures.put(name, svg);
    }
    return name;
  }

  /** Returns a picture of a recent simulation. */
  public ApiResponse picture(String name) {
    byte[] svg;
    synchronized (pictures) {
      svg = pictures.get(name);
    }
    return svg == null
        ? ApiResponse.json(
            404, Json.object().put("error", "this picture is not kept any more; simulate again"))
        : new ApiResponse.Whole(200, "image/svg+xml", svg, OF_PICTURE);
  }
}
