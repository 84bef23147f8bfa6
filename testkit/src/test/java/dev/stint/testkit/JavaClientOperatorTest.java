package dev.stint.testkit;

import static dev.stint.testkit.JobAssert.assertThat;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobList;
import io.kubernetes.client.openapi.models.V1ListMeta;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.util.Yaml;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * An operator for a custom resource with the informers of client-java: a finalizer, a Job, the
 * status subresource and a condition. The example project has the same with fabric8's informers.
 */
@StintTest(crds = "crds/widgets.yaml")
class JavaClientOperatorTest {
  private static final Kind WIDGET = new Kind("example.com", "v1", "Widget", "widgets", true);
  private static final String FINALIZER = "example.com/widget";

  /** A custom resource, read and written by Gson. */
  public static class Widget implements KubernetesObject {
    private @Nullable String apiVersion;
    private @Nullable String kind;
    private V1ObjectMeta metadata = new V1ObjectMeta();
    private Status status = new Status();

    static class Status {
      @Nullable Long observedGeneration;
      private List<V1Condition> conditions = new ArrayList<>();
    }

    @Override
    public @Nullable String getApiVersion() {
      return apiVersion;
    }

    @Override
    public @Nullable String getKind() {
      return kind;
    }

    @Override
    public V1ObjectMeta getMetadata() {
      return metadata;
    }
  }

  /** A list of them. */
  public static class WidgetList implements KubernetesListObject {
    private @Nullable String apiVersion;
    private @Nullable String kind;
    private V1ListMeta metadata = new V1ListMeta();
    private List<Widget> items = new ArrayList<>();

    @Override
    public @Nullable String getApiVersion() {
      return apiVersion;
    }

    @Override
    public @Nullable String getKind() {
      return kind;
    }

    @Override
    public V1ListMeta getMetadata() {
      return metadata;
    }

    @Override
    public List<Widget> getItems() {
      return items;
    }
  }

  /** Makes a Job for each widget. */
  private static final class WidgetOperator implements AutoCloseable {
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
    private final CompletableFuture<String> deleted = new CompletableFuture<>();
    private final SharedInformerFactory informers;
    private final GenericKubernetesApi<Widget, WidgetList> widgets;
    private final GenericKubernetesApi<V1Job, V1JobList> jobs;
    private final InstantSource clock;
    private final String namespace;

    WidgetOperator(ApiClient client, String namespace, InstantSource clock) {
      this.namespace = namespace;
      this.clock = clock;
      widgets =
          new GenericKubernetesApi<>(
              Widget.class, WidgetList.class, "example.com", "v1", "widgets", client);
      jobs =
          new GenericKubernetesApi<>(V1Job.class, V1JobList.class, "batch", "v1", "jobs", client);
      informers = new SharedInformerFactory(client);
      informers
          .sharedIndexInformerFor(widgets, Widget.class, 0, namespace)
          .addEventHandler(new Enqueuer<>(deleted));
      informers
          .sharedIndexInformerFor(jobs, V1Job.class, 0, namespace)
          .addEventHandler(new Enqueuer<>(new CompletableFuture<>()));
      informers.startAllRegisteredInformers();
    }

    /** Enqueues the widget of an object, which has the same name. */
    private final class Enqueuer<T extends KubernetesObject> implements ResourceEventHandler<T> {
      private final CompletableFuture<String> gone;

      Enqueuer(CompletableFuture<String> gone) {
        this.gone = gone;
      }

      @Override
      public void onAdd(T object) {
        enqueue(object.getMetadata().getName(), 0);
      }

      @Override
      public void onUpdate(T before, T object) {
        enqueue(object.getMetadata().getName(), 0);
      }

      @Override
      public void onDelete(T object, boolean unknown) {
        gone.complete(object.getMetadata().getName());
      }
    }

    private void enqueue(String name, long delay) {
      loop.schedule(() -> reconcile(name), delay, TimeUnit.MILLISECONDS);
    }

    private void reconcile(String name) {
      Widget widget = widgets.get(namespace, name).getObject();
      if (widget == null) {
        return;
      }
      List<String> finalizers = widget.metadata.getFinalizers();
      boolean held = finalizers != null && finalizers.contains(FINALIZER);
      if (widget.metadata.getDeletionTimestamp() != null) {
        if (held) {
          widget.metadata.setFinalizers(List.of());
          written(name, widgets.update(widget).isSuccess());
        }
      } else if (!held) {
        widget.metadata.addFinalizersItem(FINALIZER);
        written(name, widgets.update(widget).isSuccess());
      } else {
        work(widget);
      }
    }

    private void work(Widget widget) {
      String name = widget.metadata.getName();
      V1Job job = jobs.get(namespace, name).getObject();
      if (job == null) {
        written(name, jobs.create(jobOf(widget)).isSuccess());
        return;
      }
      boolean done = job.getStatus().getCompletionTime() != null;
      String reason = done ? "Made" : "Working";
      if (widget.status.conditions.stream().noneMatch(one -> reason.equals(one.getReason()))) {
        widget.status.observedGeneration = widget.metadata.getGeneration();
        widget.status.conditions =
            List.of(
                new V1Condition()
                    .type("Ready")
                    .status(done ? "True" : "False")
                    .reason(reason)
                    .message("")
                    .lastTransitionTime(clock.instant().atOffset(ZoneOffset.UTC)));
        written(name, widgets.updateStatus(widget, one -> one.status).isSuccess());
      }
    }

    private V1Job jobOf(Widget widget) {
      V1Job job = Yaml.loadAs(JobsTest.job(widget.metadata.getName(), ""), V1Job.class);
      job.getMetadata()
          .namespace(namespace)
          .addOwnerReferencesItem(
              new V1OwnerReference()
                  .apiVersion("example.com/v1")
                  .kind("Widget")
                  .name(widget.metadata.getName())
                  .uid(widget.metadata.getUid())
                  .controller(true));
      return job;
    }

    /** Tries again after a conflict or a failure. */
    private void written(String name, boolean success) {
      if (!success) {
        enqueue(name, 50);
      }
    }

    @Override
    public void close() {
      informers.stopAllRegisteredInformers();
      loop.shutdownNow();
    }
  }

  @Test
  void anOperatorWithItsInformersWorksInSimulatedTime(
      ApiClient client, Jobs jobs, PodScript pods, ApiFaults faults, TestClock clock)
      throws Exception {
    pods.everyPod().runsFor(10, MINUTES);
    ObjectRef widget = new ObjectRef(WIDGET, jobs.namespace(), "small");
    try (var operator = new WidgetOperator(client, jobs.namespace(), clock)) {
      faults.next(2).updates().of("widgets").conflict();
      jobs.applyAll("{apiVersion: example.com/v1, kind: Widget, metadata: {name: small}}");
      assertThat(jobs.job("small").await("there", status -> true)).hasActive(1);
      jobs.await(
          widget, "being made", one -> reason(one).equals("Working"), Duration.ofSeconds(60));
      clock.advance(10, MINUTES);
      KubeObject made =
          jobs.await(widget, "made", one -> reason(one).equals("Made"), Duration.ofSeconds(60));
      assertThat(made.finalizers()).containsExactly(FINALIZER);
      assertThat(made.tree().at("/status/conditions/0/lastTransitionTime").stringValue())
          .startsWith("2026-01-01T00:10:00");
      assertThat(made.tree().at("/status/observedGeneration").intValue()).isEqualTo(1);
      operator.widgets.delete(jobs.namespace(), "small");
      assertThat(operator.deleted.get(60, SECONDS)).isEqualTo("small");
      clock.settle();
      assertThat(jobs.all()).isEmpty();
    }
  }

  private static String reason(KubeObject widget) {
    return widget.tree().at("/status/conditions/0/reason").asString("");
  }
}
