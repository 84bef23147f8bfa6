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
 * Makes reports. A config map with the label {@code example.com/report} asks for one, and says how
 * many {@code chapters} it has. For each the operator makes a Job with an index for every chapter,
 * and writes into the config map what became of it: {@code state} is {@code writing}, {@code
 * ready}, or {@code failed}, with the chapters that are to blame in {@code failedChapters}.
 */
public final class ReportOperator implements AutoCloseable {
  public static final String LABEL = "example.com/report";

  private static final long RETRY_MILLIS = 50;

  private final KubernetesClient client;
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();

  /**
   * @param client in the namespace of the reports
   */
  public ReportOperator(KubernetesClient client) {
    this.client = client;
  }

  public void start() {
    informers.add(client.configMaps().withLabel(LABEL).inform(new Names<>()));
    informers.add(client.batch().v1().jobs().withLabel(LABEL).inform(new Names<>()));
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::close);
    loop.shutdownNow();
  }

  /** A report and its Job have the same name, so whichever changes, that report is looked at. */
  private final class Names<T extends HasMetadata> implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      look(object.getMetadata().getName(), 0);
    }

    @Override
    public void onUpdate(T before, T object) {
      look(object.getMetadata().getName(), 0);
    }

    @Override
    public void onDelete(T object, boolean stateUnknown) {
      look(object.getMetadata().getName(), 0);
    }
  }

  private void look(String name, long delayMillis) {
    try {
      loop.schedule(() -> reconcileOrRetry(name), delayMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      // Nobody is left to care.
    }
  }

  /** Conflicts and failures pass: what has to be done is found out anew. */
  private void reconcileOrRetry(String name) {
    try {
      reconcile(name);
    } catch (KubernetesClientException failure) {
      look(name, RETRY_MILLIS);
    }
  }

  private void reconcile(String name) {
    ConfigMap report = client.configMaps().withName(name).get();
    if (report == null || report.isMarkedForDeletion()) {
      return; // Its Job belongs to it, and goes with it.
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
      client.resource(wanted).update(); // Fails where somebody was faster.
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
