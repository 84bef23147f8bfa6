package dev.stint.runner.container;

import dev.stint.model.Json;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import dev.stint.runner.container.daemon.ImageRef;
import dev.stint.runner.container.daemon.LocalImage;
import dev.stint.runner.container.daemon.PullSecrets;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.RetryDelays;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Requests the image of one attempt, and reports what happens in a kubelet's words. For the tasks
 * of a {@link PodSandbox}.
 */
final class ImageRequest {
  /** Receives the answer to a request. */
  interface Answer {
    void onImage(ImageRef ref, LocalImage image);

    void onDaemonAway(String why);

    /** Called when the image is not available; the request is to be repeated after the delay. */
    void onMissing(Duration retryDelay);
  }

  private final RuntimeContext shared;
  private final Executor serial;
  private final ContainerRun run;
  private final AttemptListener listener;
  private final String name;
  private int failures;
  private boolean closed;

  ImageRequest(RuntimeContext shared, Executor serial, ContainerRun run, AttemptListener listener) {
    this.shared = shared;
    this.serial = serial;
    this.run = run;
    this.listener = listener;
    this.name = String.valueOf(Json.text(run.container(), "image"));
  }

  /** Sends the request; there is no answer if the image has no valid name. */
  void send(Answer answer) {
    Optional<ImageRef> image = ImageRef.parse(name);
    if (image.isEmpty()) {
      listener.onWaiting(
          AttemptListener.INVALID_IMAGE_NAME,
          "Failed to apply default image tag \"" + name + "\": not a valid name");
      return;
    }
    ImageRef ref = image.get();
    Instant asked = shared.now();
    var _ =
        shared
            .images()
            .get(
                ref,
                PullPolicy.of(run.container(), ref),
                PullSecrets.of(run.pod(), run.inputs(), ref),
                () ->
                    listener.onProgress(
                        AttemptListener.PULLING, "Pulling image \"%s\"".formatted(name)))
            .whenComplete((got, failure) ->
                serial.execute(() -> onAnswer(ref, asked, got, plain(failure), answer)));
  }

  /** Reports no answer any more. */
  void close() {
    closed = true;
  }

  private static @Nullable Throwable plain(@Nullable Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  private void onAnswer(
      ImageRef ref,
      Instant asked,
      ImagePuller.@Nullable Got got,
      @Nullable Throwable failure,
      Answer answer) {
    if (closed) {
      return;
    }
    if (got != null) {
      reportPull(asked, got);
      answer.onImage(ref, got.image());
    } else if (failure instanceof DaemonException fault && fault.reason() == Reason.AWAY) {
      answer.onDaemonAway(fault.text());
    } else {
      failures++;
      reportFailure(ref, failure);
      answer.onMissing(RetryDelays.CRASH_LOOP.delay(failures));
    }
  }

  private void reportPull(Instant asked, ImagePuller.Got got) {
    if (got.pull() != null) {
      listener.onProgress(
          AttemptListener.PULLED,
          "Successfully pulled image \"%s\" in %s (%s including waiting). Image size: %d bytes."
              .formatted(
                  name,
                  seconds(got.pull()),
                  seconds(Duration.between(asked, shared.now())),
                  got.image().size()));
    }
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.3fs", time.toMillis() / 1000.0);
  }

  private void reportFailure(ImageRef ref, @Nullable Throwable failure) {
    String reason =
        failure instanceof ImagePuller.NotThere known
            ? known.reason()
            : AttemptListener.IMAGE_INSPECT_ERROR;
    String message = String.valueOf(failure == null ? null : failure.getMessage());
    if (failures > 1 && reason.equals(AttemptListener.ERR_IMAGE_PULL)) {
      message = "Back-off pulling image \"%s\": %s: %s".formatted(ref, reason, message);
      reason = AttemptListener.IMAGE_PULL_BACK_OFF;
    }
    listener.onWaiting(reason, message);
  }
}
