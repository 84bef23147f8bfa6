package dev.stint.examples.operator;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An operator that creates reports. A config map with the label {@code example.com/report} requests
 * a report with a number of {@code chapters}. The operator creates a Job with one index per
 * chapter, and writes the outcome into the config map: {@code state} is {@code writing}, {@code
 * ready} or {@code failed}, and {@code failedChapters} lists the chapters that failed.
 */
public final class ReportOperator implements AutoCloseable {
  public static final String LABEL = "example.com/report";

  private static final long RETRY_MILLIS = 50;

  private final KubernetesClient client;
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();

  /** Creates an operator for the reports in the client's namespace. */
  public ReportOperator(KubernetesClient client) {
    this.client = client;
  }

  public void start() {
    informers.add(client.configMaps().withLabel(LABEL).inform(new Enqueuer<>()));
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
    } catch (KubernetesClientException failure) {
      enqueue(name, RETRY_MILLIS);
    }
  }

  private void reconcile(String name) {
    ConfigMap report = client.configMaps().withName(name).get();
    if (report == null || report.isMarkedForDeletion()) {
      return; // Garbage collection deletes its Job.
    }
    Job job = client.batch().v1().jobs().withName(name).get();
    if (job == null) {
      client.resource(jobOf(report)).create();
    } else {
      write(report, job);
    }
  }

  private void write(ConfigMap report, Job job) {
    String state = has(job, "Complete") ? "ready" : has(job, "Failed") ? "failed" : "writing";
    String failed = job.getStatus() == null ? null : job.getStatus().getFailedIndexes();
    ConfigMap wanted =
        report
            .edit()
            .addToData("state", state)
            .addToData("failedChapters", failed == null ? "" : failed)
            .build();
    if (!wanted.getData().equals(report.getData())) {
      client.resource(wanted).update(); // A conflict leads to a retry.
    }
  }

  private static boolean has(Job job, String type) {
    return job.getStatus() != null
        && job.getStatus().getConditions().stream().anyMatch(each -> isTrue(each, type));
  }

  private static boolean isTrue(JobCondition condition, String type) {
    return condition.getType().equals(type) && condition.getStatus().equals("True");
  }

  private static Job jobOf(ConfigMap report) {
    int chapters = chapters(report.getData().get("chapters"));
    return new JobBuilder()
        .withNewMetadata()
        .withName(report.getMetadata().getName())
        .addToLabels(LABEL, "")
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("ConfigMap")
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

  private static int chapters(@Nullable String text) {
    return text == null ? 1 : Integer.parseInt(text);
  }
}
