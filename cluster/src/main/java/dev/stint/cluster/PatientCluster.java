package dev.stint.cluster;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster that is asked politely: only so many requests a second and at once, and those that fail
 * for a passing reason again after a growing delay with jitter, or after the one that the API asks
 * for ({@code Retry-After}). After some tries the failure is the caller's.
 *
 * <p>Repeated is only what is safe to repeat: reads, writes of one state of one object, and
 * creations, which all carry a name. Where the answer to an earlier try was lost, the repetition of
 * a write that took fails with {@code CONFLICT}, {@code ALREADY_EXISTS} or {@code NOT_FOUND}, which
 * callers have to expect anyway. A refusal for too many requests is repeated always, since nothing
 * was done. Watches come from elsewhere: they are few, and go on by themselves.
 */
public final class PatientCluster implements Cluster {
  /**
   * How polite.
   *
   * @param perSecond requests a second once the burst is used up; 0 for any number
   * @param burst how many requests may come at once after a pause
   * @param mostAtOnce how many requests may be under way
   * @param tries how often a request is sent at most
   * @param firstDelay before the second try; it doubles from there
   * @param longestDelay the most that it comes to, and the most that the API may ask for
   */
  public record Options(
      double perSecond,
      int burst,
      int mostAtOnce,
      int tries,
      Duration firstDelay,
      Duration longestDelay) {
    public static final Options DEFAULT =
        new Options(500, 1000, 64, 5, Duration.ofMillis(100), Duration.ofSeconds(5));
  }

  private final Cluster cluster;
  private final Options options;
  private final Timers timers;
  private final RandomGenerator random;
  private final Turnstile turnstile;

  /**
   * @param clock used for spans of time only
   * @param random for jitter; used by one thread at a time
   */
  public PatientCluster(
      Cluster cluster,
      Options options,
      InstantSource clock,
      Timers timers,
      RandomGenerator random) {
    this.cluster = cluster;
    this.options = options;
    this.timers = timers;
    this.random = random;
    this.turnstile =
        new Turnstile(options.perSecond(), options.burst(), options.mostAtOnce(), clock, timers);
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return ask(true, () -> cluster.get(ref));
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    return ask(true, () -> cluster.list(kind, namespace));
  }

  /** Sent once: who has taken some parts knows best how to begin anew. */
  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return ask(false, () -> cluster.list(kind, namespace, each));
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    return cluster.watch(kind, namespace, afterRevision, handler);
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return ask(!object.name().isEmpty(), () -> cluster.create(object));
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return ask(ofOneState(object.tree()), () -> cluster.update(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return ask(ofOneState(object.tree()), () -> cluster.updateStatus(object));
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return ask(ofOneState(mergePatch), () -> cluster.patch(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return ask(ofOneState(mergePatch), () -> cluster.patchStatus(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return ask(ofOneState(namespace.tree()), () -> cluster.updateFinalize(namespace));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    return ask(options.uid() != null, () -> cluster.delete(ref, options));
  }

  private static boolean ofOneState(JsonNode document) {
    return document.path("metadata").hasNonNull("resourceVersion");
  }

  private <T extends @Nullable Object> CompletableFuture<T> ask(
      boolean repeatable, Supplier<CompletableFuture<T>> request) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    send(new Attempt<>(request, repeatable, 1, answer));
    return answer;
  }

  private record Attempt<T extends @Nullable Object>(
      Supplier<CompletableFuture<T>> request,
      boolean repeatable,
      int number,
      CompletableFuture<T> answer) {
    Attempt<T> next() {
      return new Attempt<>(request, repeatable, number + 1, answer);
    }
  }

  private <T extends @Nullable Object> void send(Attempt<T> attempt) {
    turnstile.enter(() ->
        sent(attempt)
            .whenComplete((value, failure) -> {
              turnstile.leave();
              if (failure == null) {
                attempt.answer().complete(value);
              } else {
                failed(attempt, ClusterException.causeOf(failure));
              }
            }));
  }

  private static <T extends @Nullable Object> CompletableFuture<T> sent(Attempt<T> attempt) {
    try {
      return attempt.request().get();
    } catch (RuntimeException fault) {
      return CompletableFuture.failedFuture(fault);
    }
  }

  private <T extends @Nullable Object> void failed(Attempt<T> attempt, Throwable failure) {
    if (failure instanceof ClusterException refusal
        && attempt.number() < options.tries()
        && mayRepeat(attempt.repeatable(), refusal)) {
      timers.after(delay(attempt.number(), refusal), () -> send(attempt.next()));
    } else {
      attempt.answer().completeExceptionally(failure);
    }
  }

  private static boolean mayRepeat(boolean repeatable, ClusterException refusal) {
    return refusal.passing() && (repeatable || refusal.reason() == Reason.TOO_MANY_REQUESTS);
  }

  /** Between half of the delay and all of it; never less than the API asks for, within reason. */
  private Duration delay(int tries, ClusterException refusal) {
    Duration doubled = options.firstDelay().multipliedBy(1L << Math.min(tries - 1, 30));
    Duration most = least(doubled, options.longestDelay());
    double part;
    synchronized (random) {
      part = 0.5 + random.nextDouble() / 2;
    }
    Duration delay = Duration.ofNanos((long) (most.toNanos() * part));
    Duration asked = refusal.retryAfter();
    return asked == null ? delay : delay.plus(least(asked, options.longestDelay()));
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
