package dev.stint.console;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.Indexes;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobExplanation;
import dev.stint.jobs.Rerun;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.index.IndexSet;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The actions on a Job: {@code jobs/NAMESPACE/NAME/suspend}, {@code resume}, {@code cancel}, {@code
 * rerun}, {@code delete}. A request names the Job's uid, so that it never acts on another Job of
 * the same name.
 */
final class JobActions {
  private static final int SHOWN_INDEXES = 60;

  private final Cluster cluster;
  private final InstantSource clock;

  JobActions(Cluster cluster, InstantSource clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  /**
   * Performs an action.
   *
   * @param path below {@code /console/api/}
   * @param request {@code uid}; for cancel optionally {@code reason}; for rerun optionally {@code
   *     indexes} and {@code name}
   */
  ApiResponse answer(String path, ObjectNode request) {
    String[] parts = path.split("/", -1);
    if (parts.length != 4
        || !parts[0].equals("jobs")
        || !List.of("suspend", "resume", "cancel", "rerun", "delete").contains(parts[3])) {
      return ConsoleResponses.refused(404, "not found: /console/api/" + path);
    }
    KubeObject job = ApiCalls.await(cluster.get(new ObjectRef(Kind.JOB, parts[1], parts[2])));
    if (!job.uid().equals(Json.text(request, "uid"))) {
      throw new ClusterException(
          Reason.CONFLICT,
          "the Job %s has been replaced by a new one of the same name; reload the page"
              .formatted(job.name()));
    }
    return switch (parts[3]) {
      case "suspend" -> suspend(job, true);
      case "resume" -> suspend(job, false);
      case "delete" -> delete(job);
      case "cancel" -> cancel(job, Json.text(request, "reason"));
      default -> rerun(job, Json.text(request, "indexes"), Json.text(request, "name"));
    };
  }

  private ApiResponse suspend(KubeObject job, boolean suspend) {
    throwIfRefused(JobChanges.refusalToSuspend(job));
    JobChanges.suspend(cluster, job, suspend);
    return done(job.name() + (suspend ? " is suspended" : " is resumed"), job.name());
  }

  private ApiResponse cancel(KubeObject job, @Nullable String reason) {
    throwIfRefused(JobChanges.refusalToCancel(job));
    String why = reason == null ? "" : reason.strip();
    String message = "cancelled in the console" + (why.isEmpty() ? "" : ": " + why);
    JobChanges.fail(cluster, job, JobExplanation.CANCELLED, message, clock.instant());
    return done(job.name() + " is cancelled; its pods are being stopped", job.name());
  }

  private ApiResponse delete(KubeObject job) {
    throwIfRefused(JobChanges.refusalToDelete(job));
    JobChanges.delete(cluster, job);
    return done(job.name() + " is deleted; its logs are kept", job.name());
  }

  private ApiResponse rerun(KubeObject job, @Nullable String indexes, @Nullable String name) {
    IndexSet requested = indexes == null || indexes.isBlank() ? null : Indexes.parse(indexes);
    Set<String> names =
        ApiCalls.await(cluster.list(Kind.JOB, job.namespace())).items().stream()
            .map(KubeObject::name)
            .collect(Collectors.toSet());
    String chosen =
        name == null || name.isBlank() ? Rerun.name(job.name(), names::contains) : name.strip();
    Rerun rerun = Rerun.of(job, requested, chosen);
    KubeObject made = rerun.create(cluster, rerun.document());
    return done(
        "%s reruns %s of %s and keeps %s"
            .formatted(
                made.name(),
                DisplayText.namedIndexes(rerun.indexes(), SHOWN_INDEXES),
                job.name(),
                DisplayText.count(rerun.kept().size(), "success", "successes")),
        made.name());
  }

  private static void throwIfRefused(String why) {
    if (!why.isEmpty()) {
      throw new ClusterException(Reason.CONFLICT, why);
    }
  }

  private static ApiResponse done(String message, String name) {
    return ApiResponse.json(200, Json.object().put("message", message).put("name", name));
  }
}
