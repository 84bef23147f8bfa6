package dev.stint.cli.run;

import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobChanges;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Submits the Jobs of {@code run}, and their inputs, to the API before any controller works on
 * them.
 */
final class JobSubmission {
  private final Cluster cluster;
  private final boolean replace;

  /**
   * @param replace true to replace an unfinished Job from another document; false to refuse
   */
  JobSubmission(Cluster cluster, boolean replace) {
    this.cluster = cluster;
    this.replace = replace;
  }

  /** A Job after it was applied. */
  record Applied(RequestedJob requested, RequestedJobState state, KubeObject job) {}

  /**
   * Creates the config maps and secrets; existing ones of the same names are replaced.
   *
   * @throws UserException with a line for each fault of the first that is refused
   */
  void createInputs(List<RequestedInput> inputs) {
    for (RequestedInput input : inputs) {
      KubeObject existing = find(input.ref());
      try {
        ApiCalls.await(
            existing == null
                ? cluster.create(input.toCreate())
                : cluster.update(input.toReplace(existing)));
      } catch (ClusterException refused) {
        throw refusal(input.document(), refused);
      }
    }
  }

  /**
   * Applies all Jobs, or none if one is refused.
   *
   * @throws UserException with a line for each Job that is refused
   */
  List<Applied> apply(List<RequestedJob> jobs) {
    List<@Nullable KubeObject> existing = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    for (RequestedJob job : jobs) {
      KubeObject found = find(new ObjectRef(Kind.JOB, job.namespace(), job.name()));
      existing.add(found);
      if (RequestedJobState.of(job, found) == RequestedJobState.CHANGED && !replace) {
        refusals.add(
            job.source()
                + ": Job \""
                + job.name()
                + "\" is unfinished and was created from another document; run that document to"
                + " resume it, choose another metadata.name, or replace the Job with --replace");
      }
    }
    if (!refusals.isEmpty()) {
      throw new UserException(ExitCode.USAGE, refusals);
    }
    List<Applied> applied = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      applied.add(apply(jobs.get(i), existing.get(i)));
    }
    return applied;
  }

  private Applied apply(RequestedJob requested, @Nullable KubeObject existing) {
    RequestedJobState state = RequestedJobState.of(requested, existing);
    if (existing != null
        && (state == RequestedJobState.RESUMED || state == RequestedJobState.UNREPORTED)) {
      createCompanions(requested, existing);
      return new Applied(requested, state, existing);
    }
    if (existing != null) {
      removeWithPods(existing);
    }
    KubeObject created = create(requested);
    createCompanions(requested, created);
    return new Applied(requested, state, created);
  }

  /**
   * Creates the companions of a Job; those that another Job left under the same names are replaced
   * or shared.
   */
  private void createCompanions(RequestedJob requested, KubeObject job) {
    for (ObjectNode document : requested.companions()) {
      ObjectNode owned = document.deepCopy();
      addOwner(owned.withObjectProperty("metadata").putArray("ownerReferences"), job);
      KubeObject companion = KubeObject.of(owned);
      KubeObject existing = find(companion.ref());
      if (existing == null) {
        ApiCalls.await(cluster.create(companion));
      } else if (hasSameContent(companion, existing)) {
        shareOwner(existing, job);
      } else {
        removeNow(existing);
        ApiCalls.await(cluster.create(companion));
      }
    }
  }

  private static boolean hasSameContent(KubeObject one, KubeObject other) {
    return one.tree().path("data").equals(other.tree().path("data"))
        && one.tree().path("binaryData").equals(other.tree().path("binaryData"));
  }

  /** Adds a Job as an owner, unless there is no owner: then a user made the object by hand. */
  private void shareOwner(KubeObject companion, KubeObject job) {
    ArrayNode owners = Json.arrayAt(companion.metadata(), "ownerReferences");
    if (owners == null
        || owners.isEmpty()
        || owners.valueStream().anyMatch(each -> job.uid().equals(Json.text(each, "uid")))) {
      return;
    }
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", companion.uid()).put("resourceVersion", companion.resourceVersion());
    addOwner(metadata.putArray("ownerReferences").addAll(owners), job);
    ApiCalls.await(cluster.patch(companion.ref(), patch));
  }

  private static void addOwner(ArrayNode owners, KubeObject job) {
    owners
        .addObject()
        .put("apiVersion", job.apiVersion())
        .put("kind", job.kindName())
        .put("name", job.name())
        .put("uid", job.uid());
  }

  private @Nullable KubeObject find(ObjectRef ref) {
    return ApiCalls.find(cluster, ref);
  }

  private KubeObject create(RequestedJob requested) {
    try {
      return ApiCalls.await(cluster.create(requested.toCreate()));
    } catch (ClusterException refused) {
      throw refusal(requested.document(), refused);
    }
  }

  private static UserException refusal(Document document, ClusterException refused) {
    if (refused.causes().isEmpty()) {
      return new UserException(
          document.sourceName() + ":" + document.line() + ": " + refused.getMessage());
    }
    List<String> lines =
        refused.causes().stream().map((FieldError fault) -> document.describe(fault)).toList();
    return new UserException(ExitCode.USAGE, lines);
  }

  /**
   * Removes a Job and its pods at once. No controller works on them yet; pods that still run are
   * ended as leftovers.
   */
  private void removeWithPods(KubeObject job) {
    for (KubeObject pod : ApiCalls.await(cluster.list(Kind.POD, job.namespace())).items()) {
      if (job.uid().equals(pod.controllerUid())) {
        removeNow(pod);
      }
    }
    removeNow(job);
  }

  private void removeNow(KubeObject object) {
    removeNow(cluster, object);
  }

  /** Removes an object at once, whatever its finalizers. */
  static void removeNow(Cluster cluster, KubeObject object) {
    JobChanges.removeNow(cluster, object);
  }
}
