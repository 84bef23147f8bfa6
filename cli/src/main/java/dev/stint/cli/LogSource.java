package dev.stint.cli;

import dev.stint.cli.attempts.Attempt;
import dev.stint.cli.attempts.Attempts;
import dev.stint.cluster.ClusterException;
import dev.stint.kube.KubeCluster;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogOptions;
import dev.stint.runner.log.LogReader;
import dev.stint.runner.log.LogStream;
import dev.stint.runner.log.LogTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Where the logs of a Job's attempts are read from. */
interface LogSource {
  /**
   * What to show of each log.
   *
   * @param tail how many of the last lines; null for all
   * @param since lines from then on; null for all
   */
  record View(boolean timestamps, @Nullable Long tail, @Nullable Instant since) {
    static final View ALL = new View(false, null, null);
  }

  /** Where those of a Job are: files where they can be, as they outlive pods. */
  static LogSource of(Target target, String job) {
    return target
        .logs()
        .map(logs -> (LogSource) new Local(logs, target.namespace(), job))
        .orElseGet(() ->
            new Remote(Objects.requireNonNull(target.remote().orElse(null)), target.namespace()));
  }

  /**
   * Copies a log to its end.
   *
   * @param latest whether no later run of the container is known
   * @param follow null to copy what there is; else completes when the attempt has ended
   */
  void copy(
      Attempt attempt,
      boolean latest,
      View view,
      @Nullable CompletableFuture<?> follow,
      LineOut out)
      throws IOException, InterruptedException;

  /** Files of this machine. */
  record Local(LogTree logs, String namespace, String job) implements LogSource {
    @Override
    public void copy(
        Attempt attempt,
        boolean latest,
        View view,
        @Nullable CompletableFuture<?> follow,
        LineOut out)
        throws IOException, InterruptedException {
      Path dir = Attempts.jobDir(logs, namespace, job).resolve(LogTree.segment(attempt.pod()));
      LogFiles files = new LogFiles(dir, LogTree.segment(attempt.container()), attempt.run());
      LogOptions options =
          new LogOptions(
              follow != null,
              view.timestamps(),
              view.tail(),
              view.since(),
              null,
              Set.of(LogStream.values()));
      CompletableFuture<?> ended =
          follow == null ? CompletableFuture.completedFuture(true) : follow;
      new LogReader(files, options, ended).copyTo(out::write, new CompletableFuture<>());
      out.end();
    }
  }

  /** A cluster's, which keeps the last two of each container, as long as the pod is there. */
  record Remote(KubeCluster cluster, String namespace) implements LogSource {
    @Override
    public void copy(
        Attempt attempt,
        boolean latest,
        View view,
        @Nullable CompletableFuture<?> follow,
        LineOut out)
        throws IOException {
      String query =
          "container="
              + URLEncoder.encode(attempt.container(), StandardCharsets.UTF_8)
              + (latest ? "" : "&previous=true")
              + (follow != null && latest ? "&follow=true" : "")
              + (view.timestamps() ? "&timestamps=true" : "")
              + (view.tail() == null ? "" : "&tailLines=" + view.tail())
              + (view.since() == null ? "" : "&sinceTime=" + view.since());
      try {
        Applying.await(cluster.log(namespace, attempt.pod(), query, piece -> passOn(piece, out)));
      } catch (ClusterException refused) {
        if (refused.getCause() instanceof UncheckedIOException gone) {
          throw gone.getCause();
        }
        throw refused;
      }
      out.end();
    }

    private static void passOn(byte[] piece, LineOut out) {
      try {
        out.write(piece);
      } catch (IOException gone) {
        throw new UncheckedIOException(gone);
      }
    }
  }
}
