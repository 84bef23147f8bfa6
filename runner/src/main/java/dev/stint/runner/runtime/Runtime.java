package dev.stint.runner.runtime;

import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodInputs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The port to a container runtime. None of the methods blocks; listeners and futures may be called
 * on any thread, and for one attempt in order.
 */
// Kubernetes calls it so, and java.lang.Runtime is not used in this package.
@SuppressWarnings("AvoidCommonTypeNames")
public interface Runtime {
  /**
   * Returns the fields of the pod that this runtime does not support, with their paths; empty if it
   * can run the pod.
   */
  default List<FieldError> unsupported(KubeObject pod) {
    return List.of();
  }

  /** True if this runtime ignores a container's image, which users may not expect. */
  default boolean ignoresImages() {
    return false;
  }

  /** Returns the uids of pods of which an earlier life of this runtime left something. */
  CompletableFuture<Set<String>> leftovers();

  /** Returns those leftovers of which nothing runs, by the uids of their pods. */
  default CompletableFuture<Map<String, IdleLeftover>> idleLeftovers() {
    return CompletableFuture.completedFuture(Map.of());
  }

  /**
   * Starts a container, or takes over the attempt of an earlier life: one that is still running, or
   * one that ended meanwhile. An attempt with an unknown outcome, or one that was {@linkplain
   * Attempt#markInterrupted interrupted}, is run again. An attempt that was running when the
   * machine went down has ended {@linkplain Exit#lost lost}.
   */
  Attempt start(ContainerRun run, AttemptListener listener);

  /**
   * Runs a probe or a hook, in or at a running container. Never gets a {@link Handler.Sleep}.
   *
   * @param run as the container was started
   * @return the result; cancelling it ends the handler
   */
  CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler);

  /**
   * Measures the disk usage of a pod that limits it.
   *
   * @return the exceeded limit, in a kubelet's words; empty if none is exceeded
   */
  default CompletableFuture<Optional<String>> overuse(KubeObject pod) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /** Writes the tokens of a pod, which are new, to its volumes. */
  default CompletableFuture<@Nullable Void> renewTokens(KubeObject pod, PodInputs inputs) {
    return CompletableFuture.completedFuture(null);
  }

  /** True if containers reach what listens on the loopback addresses of this machine. */
  default boolean reachesLoopback(KubeObject pod) {
    return true;
  }

  /**
   * True if a container of this ID, as a pod's status has it, began before the machine was last
   * started, so that it cannot run any more; false if that is unknown.
   */
  default boolean isOfEarlierBoot(String containerId) {
    return false;
  }

  /** Removes all state of a pod (not its logs), and kills what still runs of it. */
  CompletableFuture<@Nullable Void> forget(String podUid);
}
