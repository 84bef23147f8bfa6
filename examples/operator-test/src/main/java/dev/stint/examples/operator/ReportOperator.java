package dev.stint.examples.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An operator that creates reports. For each {@link Report} it creates a Job of the same name with
 * one index per chapter, publishes the report when the Job is complete, and says in the condition
 * {@code Ready} how far it is. A finalizer keeps a deleted report until it is withdrawn.
 */
public final class ReportOperator implements AutoCloseable {
  public static final String FINALIZER = "example.com/withdraw";

  private static final String LABEL = "example.com/report";
  private static final long RETRY_MILLIS = 50;

  private final KubernetesClient client;
  private final ReportLibrary library;
  private final InstantSource clock;
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();

  /** Creates an operator for the reports in the client's namespace. */
  public ReportOperator(KubernetesClient client, ReportLibrary library, InstantSource clock) {
    this.client = client;
    this.library = library;
    this.clock = clock;
  }

  public void start() {
    informers.add(client.resources(Report.class).inform(new Enqueuer<>()));
    informers.add(client.batch().v1().jobs().withLabel(LABEL).inform(new Enqueuer<>()));
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::close);
    loop.shutdownNow();
  }

  /** Enqueues the report if the report or its Job changes: both have the same name. */
  private final class Enqueuer<T extends HasMetadata> implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      enqueue(object.getMetadata().getName(), 0);
    }

    @Override
    public void onUpdate(T before, T object) {
      enqueue(object.getMetadata().getName(), 0);
    }

    @Override
    public void onDelete(T object, boolean stateUnknown) {
      enqueue(object.getMetadata().getName(), 0);
    }
  }

  private void enqueue(String name, long delayMillis) {
    try {
      loop.schedule(() -> reconcileOrRetry(name), delayMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      // The operator is closed: nothing is left to do.
    }
  }

  /** Retries after a conflict or failure. Each try starts from the current state. */
  private void reconcileOrRetry(String name) {
    try {
      reconcile(name);
    } catch (KubernetesClientException | IllegalStateException failure) {
      enqueue(name, RETRY_MILLIS);
    }
  }

  private void reconcile(String name) {
    Report report = client.resources(Report.class).withName(name).get();
    if (report == null) {
      return;
    }
    if (report.isMarkedForDeletion()) {
      withdraw(report);
    } else if (!report.hasFinalizer(FINALIZER)) {
      report.addFinalizer(FINALIZER);
      client.resource(report).update(); // Its event leads to the next step.
    } else {
      write(report);
    }
  }

  /** Withdraws a deleted report, then lets it go. Garbage collection deletes its Job. */
  private void withdraw(Report report) {
    if (report.hasFinalizer(FINALIZER)) {
      library.withdraw(report.getMetadata().getName());
      report.removeFinalizer(FINALIZER);
      client.resource(report).update();
    }
  }

  private void write(Report report) {
    String name = report.getMetadata().getName();
    Job job = client.batch().v1().jobs().withName(name).get();
    if (job == null) {
      client.resource(jobOf(report)).create();
      return;
    }
    Report.Status status = ReportStatus.of(report, job, clock.instant());
    if (ReportStatus.isReady(status)) {
      library.publish(name);
    }
    if (!ReportStatus.areEqual(status, report.getStatus())) {
      report.setStatus(status);
      client.resource(report).updateStatus(); // A conflict leads to a retry.
    }
  }

  private static Job jobOf(Report report) {
    Integer chapters = report.getSpec().chapters;
    return new JobBuilder()
        .withNewMetadata()
        .withName(report.getMetadata().getName())
        .addToLabels(LABEL, "")
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion(report.getApiVersion())
                .withKind(report.getKind())
                .withName(report.getMetadata().getName())
                .withUid(report.getMetadata().getUid())
                .withController(true)
                .build())
        .endMetadata()
        .withNewSpec()
        .withCompletionMode("Indexed")
        .withCompletions(chapters)
        .withParallelism(chapters)
        .withBackoffLimitPerIndex(1)
        .withNewTemplate()
        .withNewSpec()
        .withRestartPolicy("Never")
        .addNewContainer()
        .withName("chapter")
        .withImage("example.com/chapter:1")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }
}
