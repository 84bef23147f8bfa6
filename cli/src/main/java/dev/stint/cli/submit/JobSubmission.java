package dev.stint.cli.submit;

import dev.stint.cli.list.ListComparison;
import dev.stint.cli.list.RequestedList;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobEdit;
import dev.stint.jobs.JobInterruption;
import dev.stint.jobs.JobPodRemoval;
import dev.stint.jobs.Rerun;
import dev.stint.jobs.RunAnnotations;
import dev.stint.jobs.SharedLists;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import dev.stint.model.index.IndexSet;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Submits the Jobs of {@code run}, and their inputs, to the API before any controller works on
 * them.
 */
public final class JobSubmission {
  private static final Comparator<KubeObject> OLDEST_FIRST =
      Comparator.comparing(
          KubeObject::creationTimestamp, Comparator.nullsFirst(Comparator.naturalOrder()));

  private static final int TRIES = 10;
  private static final Set<Reason> RACES =
      Set.of(Reason.NOT_FOUND, Reason.CONFLICT, Reason.ALREADY_EXISTS);

  private final Cluster cluster;
  private final Rules rules;
  private final InstantSource clock;
  private final Consumer<String> say;
  private final Site site;

  /**
   * The rules by which existing Jobs are treated.
   *
   * @param mode what may be done with them
   * @param gates the feature gates of this command
   * @param ended true for a pod that ended with success, though its status does not say so yet
   */
  public record Rules(ExistingJobs mode, FeatureGates gates, Predicate<KubeObject> ended) {}

  /** The differences between this machine and a cluster. */
  public interface Site {
    /** True if others may run Jobs here. */
    boolean isShared();

    /** Called with each Job before it is removed with its pods. */
    void beforeRemoval(KubeObject job);

    /** Removes a Job with its pods. */
    void remove(KubeObject job);

    /** Returns the decision for this site; it may differ from that on a machine of one's own. */
    RunDecision checked(RequestedJob requested, RunDecision decision);

    /** Returns the document of a Job that begins. */
    KubeObject toCreate(RequestedJob requested);
  }

  /** A data directory: no controller works on its Jobs. */
  private final class OnThisMachine implements Site {
    private final boolean shared;
    private final Consumer<KubeObject> before;
    private final JobPodRemoval podRemoval = new JobPodRemoval(cluster);

    OnThisMachine(boolean shared, Consumer<KubeObject> before) {
      this.shared = shared;
      this.before = before;
    }

    @Override
    public boolean isShared() {
      return shared;
    }

    @Override
    public void beforeRemoval(KubeObject job) {
      before.accept(job);
    }

    /** Removes a Job and its pods at once; pods that still run are ended as leftovers. */
    @Override
    public void remove(KubeObject job) {
      podRemoval.removePodsOf(job);
      removeNow(job);
    }

    @Override
    public RunDecision checked(RequestedJob requested, RunDecision decision) {
      return decision;
    }

    @Override
    public KubeObject toCreate(RequestedJob requested) {
      return requested.toCreate();
    }
  }

  /**
   * @param say tells the user what is about to happen
   * @param shared true if other commands may run Jobs here
   * @param beforeRemoval called with each Job before it is removed with its pods
   */
  public JobSubmission(
      Cluster cluster,
      Rules rules,
      InstantSource clock,
      Consumer<String> say,
      boolean shared,
      Consumer<KubeObject> beforeRemoval) {
    this.cluster = cluster;
    this.rules = rules;
    this.clock = clock;
    this.say = say;
    this.site = new OnThisMachine(shared, beforeRemoval);
  }

  /**
   * @param say tells the user what is about to happen
   */
  public JobSubmission(
      Cluster cluster, Rules rules, InstantSource clock, Consumer<String> say, Site site) {
    this.cluster = cluster;
    this.rules = rules;
    this.clock = clock;
    this.say = say;
    this.site = site;
  }

  /** A Job after it was applied. */
  public record Applied(RequestedJob requested, RunDecision decision, KubeObject job) {
    /** Resumes the Job if a command interrupted it, and returns its new state. */
    public Applied resumed(Cluster cluster) {
      return new Applied(requested, decision, JobInterruption.resume(cluster, job));
    }
  }

  /**
   * Creates the config maps and secrets; existing ones of the same names are replaced.
   *
   * @throws UserException with a line for each fault of the first that is refused
   */
  public void createInputs(List<RequestedInput> inputs) {
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
   * @param inputs applies the objects that the Jobs use, once none is refused: else the pods of a
   *     Job that goes on would have others
   * @throws UserException with a line for each Job that is refused
   */
  public List<Applied> apply(List<RequestedJob> jobs, Runnable inputs) {
    LinkedJobs linked = new LinkedJobs(jobs);
    List<RunDecision> decisions = decisions(jobs, linked);
    inputs.run();
    Applied[] applied = new Applied[jobs.size()];
    for (int i : linked.order()) {
      applied[i] = apply(jobs.get(i), decisions.get(i));
    }
    return List.of(applied);
  }

  private List<RunDecision> decisions(List<RequestedJob> jobs, LinkedJobs linked) {
    List<RunDecision> decisions = jobs.stream().map(this::decide).toList();
    List<String> refusals =
        Stream.concat(
                decisions.stream()
                    .flatMap(each ->
                        each instanceof RunDecision.Refuse(String why)
                            ? Stream.of(why)
                            : Stream.empty()),
                linked.missing(ref -> find(ref) != null).stream())
            .toList();
    if (!refusals.isEmpty()) {
      throw new UserException(ExitCode.USAGE, refusals);
    }
    return rules.mode() == ExistingJobs.FRESH ? decisions : linked.keepComplete(decisions);
  }

  private RunDecision decide(RequestedJob job) {
    return site.checked(job, decided(job));
  }

  private RunDecision decided(RequestedJob job) {
    RequestedList list = job.list();
    if (list == null) {
      KubeObject existing = find(new ObjectRef(Kind.JOB, job.namespace(), job.name()));
      return FileRules.decide(job, existing, rules.mode(), rules.gates(), clock.instant());
    }
    List<KubeObject> related =
        ApiCalls.await(cluster.list(Kind.JOB, job.namespace())).items().stream()
            .filter(other -> list.isRelated(job.name(), other))
            .sorted(OLDEST_FIRST)
            .toList();
    IndexSet noted =
        rules.mode() == ExistingJobs.FRESH ? null : new KeptSuccesses(cluster, job, list).noted();
    return new ListRules(
            job, list, related, earlier(list, noted != null), rules.gates(), clock.instant())
        .decide(rules.mode(), noted);
  }

  /**
   * @param noted true if a note tells the successes, even if the lists of the Jobs are gone
   */
  private ListRules.Earlier earlier(RequestedList list, boolean noted) {
    Map<String, IndexSet> known = new HashMap<>();
    return new ListRules.Earlier() {
      @Override
      public boolean isIdle(KubeObject job) {
        return !site.isShared() || JobChanges.isSuspended(job);
      }

      @Override
      public IndexSet succeeded(KubeObject job) {
        return known.computeIfAbsent(job.uid(), _ -> JobSuccesses.of(cluster, job, rules.ended()));
      }

      @Override
      public ListComparison compare(KubeObject job, IndexSet succeeded) {
        return new EarlierList(cluster, job, noted).compare(list, succeeded);
      }
    };
  }

  private Applied apply(RequestedJob requested, RunDecision intended) {
    say(requested, intended);
    RunDecision decision = settled(requested, intended);
    if (!decision.words().equals(intended.words())) {
      say(requested, decision);
    }
    return new Applied(
        requested,
        decision,
        switch (decision) {
          case RunDecision.Create() -> created(requested, List.of());
          case RunDecision.StartAnew(KubeObject replaced, String _) ->
              created(requested, List.of(replaced));
          case RunDecision.Continue goesOn -> continued(requested, goesOn);
          case RunDecision.Resume(JobEdit edit, boolean _) -> resumed(requested, edit);
          case RunDecision.Report(KubeObject job) -> job;
          case RunDecision.Done(KubeObject job, String _) -> job;
          case RunDecision.Refuse(String why) -> throw new UserException(why);
        });
  }

  private void say(RequestedJob requested, RunDecision decision) {
    decision.words().ifPresent(words -> say.accept(requested.name() + ": " + words));
  }

  /** Stops the pods of Jobs that are replaced. Lines may succeed meanwhile: then decides again. */
  private RunDecision settled(RequestedJob requested, RunDecision intended) {
    if (!(intended instanceof RunDecision.Continue goesOn)) {
      return intended;
    }
    goesOn.replaced().forEach(site::beforeRemoval);
    return goesOn.replaced().stream().allMatch(this::isUnchanged) ? intended : decide(requested);
  }

  private boolean isUnchanged(KubeObject job) {
    KubeObject now = find(job.ref());
    return now != null && now.resourceVersion().equals(job.resourceVersion());
  }

  private KubeObject resumed(RequestedJob requested, JobEdit edit) {
    JobEdit whole = noted(edit, RunAnnotations.DOCUMENT, requested.digest());
    String inputs = requested.inputs();
    if (inputs != null) {
      whole = noted(whole, RunAnnotations.INPUTS, inputs);
    }
    KubeObject job = JobInterruption.withoutMark(whole).apply(cluster);
    createCompanions(requested, job);
    return job;
  }

  private static JobEdit noted(JobEdit edit, String annotation, String digest) {
    return digest.equals(edit.job().annotation(annotation))
        ? edit
        : edit.withAnnotation(annotation, digest);
  }

  private KubeObject created(RequestedJob requested, List<KubeObject> replaced) {
    RequestedList list = requested.list();
    if (list != null) {
      new KeptSuccesses(cluster, requested, list).forget();
    }
    replaced.forEach(this::removeWithPods);
    KubeObject created = create(requested);
    createCompanions(requested, created);
    replaced.forEach(job -> SharedLists.deleteUnowned(cluster, job));
    return created;
  }

  /** Replaces Jobs of a list by one that keeps their successes, whenever this process dies. */
  private KubeObject continued(RequestedJob requested, RunDecision.Continue decision) {
    KeptSuccesses kept =
        new KeptSuccesses(cluster, requested, Objects.requireNonNull(requested.list()));
    if (!decision.kept().isEmpty()) {
      kept.note(decision.kept());
    }
    decision.replaced().forEach(this::removeWithPods);
    KubeObject created =
        create(requested, () -> kept.create(decision, site.toCreate(requested).copy()));
    createCompanions(requested, created);
    KubeObject started = decision.kept().isEmpty() ? created : Rerun.start(cluster, created);
    decision.replaced().forEach(job -> SharedLists.deleteUnowned(cluster, job));
    kept.forget();
    return started;
  }

  /**
   * Creates the companions of a Job; those that another Job left under the same names are replaced
   * or shared.
   */
  private void createCompanions(RequestedJob requested, KubeObject job) {
    requested
        .companionDocuments()
        .forEach(owned -> {
          addOwner(owned.withObjectProperty("metadata").putArray("ownerReferences"), job);
          createCompanion(KubeObject.of(owned), job);
        });
  }

  /** Tries again if the object of an earlier Job is deleted meanwhile. */
  private void createCompanion(KubeObject companion, KubeObject job) {
    for (int i = 1; ; i++) {
      try {
        createOrShare(companion, job);
        return;
      } catch (ClusterException refused) {
        if (i == TRIES || !RACES.contains(refused.reason())) {
          throw refused;
        }
      }
    }
  }

  private void createOrShare(KubeObject companion, KubeObject job) {
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
    return create(requested, () -> ApiCalls.await(cluster.create(site.toCreate(requested))));
  }

  private static KubeObject create(RequestedJob requested, Supplier<KubeObject> creation) {
    try {
      return creation.get();
    } catch (ClusterException refused) {
      throw refusal(requested.document(), refused);
    }
  }

  /** Returns the message for a user whose document the API refuses. */
  public static UserException refusal(Document document, ClusterException refused) {
    if (refused.causes().isEmpty()) {
      return new UserException(
          document.sourceName() + ":" + document.line() + ": " + refused.getMessage());
    }
    List<String> lines =
        refused.causes().stream().map((FieldError fault) -> document.describe(fault)).toList();
    return new UserException(ExitCode.USAGE, lines);
  }

  private void removeWithPods(KubeObject job) {
    site.beforeRemoval(job);
    site.remove(job);
  }

  private void removeNow(KubeObject object) {
    removeNow(cluster, object);
  }

  /** Removes an object at once, whatever its finalizers. */
  static void removeNow(Cluster cluster, KubeObject object) {
    JobChanges.removeNow(cluster, object);
  }
}
