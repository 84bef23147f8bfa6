package dev.stint.runner.process;

import dev.stint.runner.runtime.Attempt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of a pod in this life, from its first attempt until it is forgotten. */
final class PodRecord {
  private final String uid;
  private final Set<String> read = new HashSet<>();
  private final Map<String, Integer> nextNumbers = new HashMap<>();
  private final Set<ProcessAttempt> live = new LinkedHashSet<>();
  private final Set<Path> logDirs = new HashSet<>(2);
  private final List<CompletableFuture<@Nullable Void>> forgotten = new ArrayList<>();
  private boolean arranged;
  private boolean leaky;
  private boolean silent;
  private CompletableFuture<?> volumes = CompletableFuture.completedFuture(null);

  PodRecord(String uid) {
    this.uid = uid;
  }

  String uid() {
    return uid;
  }

  void add(ProcessAttempt attempt, Path logDir) {
    live.add(attempt);
    logDirs.add(logDir);
  }

  void remove(ProcessAttempt attempt) {
    live.remove(attempt);
  }

  Stream<ProcessAttempt> live() {
    return live.stream();
  }

  Set<Path> logDirs() {
    return logDirs;
  }

  int nextNumber(String container) {
    return nextNumbers.merge(container, 1, Integer::sum) - 1;
  }

  /** Records that a number was used by an earlier life. */
  void markUsed(String container, int number) {
    nextNumbers.put(container, number + 1);
  }

  /** Returns the container of the only attempt, if that was its first. */
  Optional<String> onlyContainer() {
    return nextNumbers.size() == 1 && nextNumbers.containsValue(1)
        ? nextNumbers.keySet().stream().findFirst()
        : Optional.empty();
  }

  /** Records that a container's history is read. */
  void markRead(String container) {
    read.add(container);
  }

  boolean isRead(String container) {
    return read.contains(container);
  }

  /** Returns the containers whose histories were read. */
  Set<String> readContainers() {
    return read;
  }

  /** Records that more than files may be left of it. */
  void markArranged() {
    arranged = true;
  }

  boolean isArranged() {
    return arranged;
  }

  /** Records that processes may be left of it that only their environment shows. */
  void markLeaky() {
    leaky = true;
  }

  boolean isLeaky() {
    return leaky;
  }

  /** Records whether its last attempt printed nothing. */
  void markSilent(boolean was) {
    silent = was;
  }

  boolean isSilent() {
    return silent;
  }

  /** Runs a task for the pod's volumes on another thread, after those before it. */
  <T> CompletableFuture<T> queue(Supplier<T> task, Executor threads) {
    CompletableFuture<T> next = volumes.handleAsync((_, _) -> task.get(), threads);
    volumes = next;
    return next;
  }

  /** Kills the processes of the pod, which is to be forgotten. */
  void forget(CompletableFuture<@Nullable Void> done) {
    forgotten.add(done);
    List.copyOf(live).forEach(attempt -> attempt.send(Attempt.Signal.KILL));
  }

  /** True if the pod is to be forgotten, and nothing of it runs. */
  boolean isOver() {
    return !forgotten.isEmpty() && live.isEmpty();
  }

  /** Completes the requests to forget the pod, of which nothing is left, or some files. */
  void completeForget(@Nullable Exception fault) {
    for (CompletableFuture<@Nullable Void> done : forgotten) {
      if (fault == null) {
        done.complete(null);
      } else {
        done.completeExceptionally(fault);
      }
    }
  }
}
