package dev.stint.runner.runtime;

import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.spec.Handler;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The port to whatever makes containers run. None of the methods blocks; listeners and futures may
 * be called on any thread, and for one attempt in order.
 */
// Kubernetes calls it so, and java.lang.Runtime has no business in this package.
@SuppressWarnings("AvoidCommonTypeNames")
public interface Runtime {
  /** What the pod asks for and this runtime can't do, with field paths. Empty: it can run. */
  default List<FieldError> unsupported(KubeObject pod) {
    return List.of();
  }

  /** Whether a container's image means nothing to this runtime, which users may not expect. */
  default boolean ignoresImages() {
    return false;
  }

  /** The uids of pods that an earlier life of this runtime left something of. */
  CompletableFuture<Set<String>> leftovers();

  /**
   * Starts a container, or takes over what an earlier life left of it: an attempt that is still
   * running, or one that ended meanwhile. An attempt whose outcome nobody can know any more, or
   * that was {@linkplain Attempt#setAside set aside}, is run again; one that the machine went down
   * under ended {@linkplain Exit#lost lost}.
   */
  Attempt start(ContainerRun run, AttemptListener listener);

  /**
   * Does what a probe or a hook asks for, in or at a container that runs. Never gets a {@link
   * Handler.Sleep}.
   *
   * @param run as the container was started
   * @return how it went; cancelling it ends what goes on
   */
  CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler);

  /**
   * Looks how much of the disk a pod takes up that limits that.
   *
   * @return what of it is too large, in a kubelet's words; empty where nothing is
   */
  default CompletableFuture<Optional<String>> overuse(KubeObject pod) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /** Forgets all that is left of a pod (not its logs), and kills what still runs of it. */
  CompletableFuture<@Nullable Void> forget(String podUid);
}
