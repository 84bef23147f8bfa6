package dev.stint.embedded.benchmark;

import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.Handler;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A runtime that reports when its containers start and end. */
// Named as the port is; see there.
@SuppressWarnings("AvoidCommonTypeNames")
record TimedRuntime(Runtime runtime, Consumer<KubeObject> started, Consumer<KubeObject> ended)
    implements Runtime {
  @Override
  public List<FieldError> unsupported(KubeObject pod) {
    return runtime.unsupported(pod);
  }

  @Override
  public CompletableFuture<Set<String>> leftovers() {
    return runtime.leftovers();
  }

  @Override
  public Attempt start(ContainerRun run, AttemptListener listener) {
    return runtime.start(
        run,
        new AttemptListener() {
          @Override
          public void onStarted(StartedContainer how) {
            started.accept(run.pod());
            listener.onStarted(how);
          }

          @Override
          public void onExited(Exit exit) {
            ended.accept(run.pod());
            listener.onExited(exit);
          }
        });
  }

  @Override
  public CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler) {
    return runtime.handle(run, handler);
  }

  @Override
  public boolean isOfEarlierBoot(String containerId) {
    return runtime.isOfEarlierBoot(containerId);
  }

  @Override
  public CompletableFuture<@Nullable Void> forget(String podUid) {
    return runtime.forget(podUid);
  }
}
