package dev.stint.examples.josdk;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Creates a Job for each {@link Backup}, and says in the condition {@code Done} how it ends. Since
 * it is a {@link Cleaner}, the framework adds a finalizer, and removes it after {@link #cleanup}.
 */
public final class BackupReconciler implements Reconciler<Backup>, Cleaner<Backup> {
  private final BackupStorage storage;
  private final InstantSource clock;

  public BackupReconciler(BackupStorage storage, InstantSource clock) {
    this.storage = storage;
    this.clock = clock;
  }

  @Override
  public List<EventSource<?, Backup>> prepareEventSources(EventSourceContext<Backup> context) {
    return List.of(
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Job.class, Backup.class).build(), context));
  }

  @Override
  public UpdateControl<Backup> reconcile(Backup backup, Context<Backup> context) {
    Optional<Job> job = context.getSecondaryResource(Job.class);
    if (job.isEmpty()) {
      context.getClient().resource(jobOf(backup)).serverSideApply();
      return UpdateControl.noUpdate();
    }
    Backup written = new Backup();
    written.getMetadata().setName(backup.getMetadata().getName());
    written.getMetadata().setNamespace(backup.getMetadata().getNamespace());
    written.setStatus(status(backup, job.get()));
    return UpdateControl.patchStatus(written);
  }

  @Override
  public DeleteControl cleanup(Backup backup, Context<Backup> context) {
    storage.delete(backup.getMetadata().getName());
    return DeleteControl.defaultDelete();
  }

  private Backup.Status status(Backup backup, Job job) {
    JobStatus of = job.getStatus() == null ? new JobStatus() : job.getStatus();
    Backup.Status status = new Backup.Status();
    status.observedGeneration = backup.getMetadata().getGeneration();
    status.attempts = count(of.getActive()) + count(of.getSucceeded()) + count(of.getFailed());
    status.conditions.add(since(done(of), backup));
    return status;
  }

  private static int count(Integer pods) {
    return pods == null ? 0 : pods;
  }

  private static Condition done(JobStatus job) {
    for (JobCondition condition : job.getConditions()) {
      if (condition.getStatus().equals("True") && condition.getType().equals("Complete")) {
        return done("True", "Stored", "the backup is stored");
      }
      if (condition.getStatus().equals("True") && condition.getType().equals("Failed")) {
        return done("False", "Failed", condition.getMessage());
      }
    }
    return done("Unknown", "Running", "the backup is being made");
  }

  private static Condition done(String status, String reason, String message) {
    return new ConditionBuilder()
        .withType("Done")
        .withStatus(status)
        .withReason(reason)
        .withMessage(message)
        .build();
  }

  /** Returns a condition with the time at which its status changed last. */
  private Condition since(Condition condition, Backup backup) {
    List<Condition> before = backup.getStatus() == null ? List.of() : backup.getStatus().conditions;
    String since =
        before.stream()
            .filter(each -> each.getStatus().equals(condition.getStatus()))
            .map(Condition::getLastTransitionTime)
            .findFirst()
            .orElse(clock.instant().toString());
    return condition.edit().withLastTransitionTime(since).build();
  }

  private static Job jobOf(Backup backup) {
    Job job =
        new JobBuilder()
            .withNewMetadata()
            .withName(backup.getMetadata().getName())
            .withNamespace(backup.getMetadata().getNamespace())
            .endMetadata()
            .withNewSpec()
            .withBackoffLimit(backup.getSpec().retries)
            .withNewTemplate()
            .withNewSpec()
            .withRestartPolicy("Never")
            .addNewContainer()
            .withName("backup")
            .withImage("example.com/backup:1")
            .withArgs(backup.getSpec().database)
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    job.addOwnerReference(backup);
    return job;
  }
}
