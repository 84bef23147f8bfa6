package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Records the requests of a client, as roles name them, and the ones that were refused as invalid.
 */
final class RequestLog {
  /** Such as {@code update batch/jobs/status}. */
  final TreeSet<String> accesses = new TreeSet<>();

  final List<String> refusals = new ArrayList<>();

  /** Returns the same API, with all requests recorded. */
  Cluster of(Cluster api) {
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (_, method, arguments) -> {
              accesses.add(access(method.getName(), arguments[0]));
              Object result = invoke(api, method, arguments);
              if (result instanceof CompletableFuture<?> future) {
                future.whenComplete((_, failure) -> note(method.getName(), failure));
              }
              return result;
            });
  }

  private static String access(String request, Object subject) {
    Kind kind =
        switch (subject) {
          case Kind all -> all;
          case ObjectRef ref -> ref.kind();
          case KubeObject object -> object.kind();
          default -> throw new AssertionError(request);
        };
    String verb = request.replace("Status", "").replace("Finalize", "");
    String part = request.substring(verb.length()).toLowerCase(Locale.ROOT);
    return "%s %s/%s%s"
        .formatted(verb, kind.group(), kind.plural(), part.isEmpty() ? "" : "/" + part);
  }

  private static Object invoke(Cluster api, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(api, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getTargetException();
    }
  }

  private void note(String request, @Nullable Throwable failure) {
    if (failure != null
        && ClusterException.causeOf(failure) instanceof ClusterException answer
        && (answer.reason() == Reason.INVALID || answer.reason() == Reason.BAD_REQUEST)) {
      refusals.add(request + ": " + answer.getMessage());
    }
  }
}
