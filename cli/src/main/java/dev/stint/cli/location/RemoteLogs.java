package dev.stint.cli.location;

import dev.stint.cluster.ClusterException;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.kube.KubeCluster;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads logs from a cluster, which keeps the last two of each container, as long as the pod exists.
 */
public record RemoteLogs(KubeCluster cluster, String namespace) implements LogSource {
  /** Returns the source of a Job's logs: files if possible, since they outlive pods. */
  public static LogSource of(JobsTarget target, String job) {
    return target
        .logs()
        .map(logs -> (LogSource) new LogSource.Local(logs, target.namespace(), job))
        .orElseGet(() ->
            new RemoteLogs(
                Objects.requireNonNull(target.remote().orElse(null)), target.namespace()));
  }

  @Override
  public void copy(
      ContainerAttemptView attempt,
      boolean latest,
      View view,
      @Nullable CompletableFuture<?> follow,
      Out out)
      throws IOException {
    String query =
        "container="
            + URLEncoder.encode(attempt.container(), StandardCharsets.UTF_8)
            + (latest ? "" : "&previous=true")
            + (follow != null && latest ? "&follow=true" : "")
            + (view.timestamps() ? "&timestamps=true" : "")
            + (view.tail() == null ? "" : "&tailLines=" + view.tail())
            + (view.since() == null ? "" : "&sinceTime=" + view.since())
            + stream(view.streams());
    try {
      ApiCalls.await(cluster.log(namespace, attempt.pod(), query, piece -> passOn(piece, out)));
    } catch (ClusterException refused) {
      if (refused.getCause() instanceof UncheckedIOException gone) {
        throw gone.getCause();
      }
      throw refused;
    }
    out.finish();
  }

  @Override
  public boolean mayBreakOff() {
    return true;
  }

  /** Returns the parameter that selects a stream; "" for both. */
  private static String stream(Set<LogStream> streams) {
    return streams.size() > 1
        ? ""
        : "&stream=" + (streams.contains(LogStream.STDOUT) ? "Stdout" : "Stderr");
  }

  private static void passOn(byte[] piece, Out out) {
    try {
      out.write(piece);
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }
}
