package dev.stint.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.reflect.TypeToken;
import dev.stint.store.StoreOptions;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.BatchV1Api;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobList;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java client of the Kubernetes project. */
class OfficialJavaClientTest {
  private static final String NAMESPACE = "default";

  @TempDir Path directory;
  private ServedApi served;
  private ApiClient client;
  private BatchV1Api batch;

  @BeforeEach
  void serve() throws Exception {
    served = ServedApi.simulated(directory, StoreOptions.defaults());
    try (Reader kubeconfig = Files.newBufferedReader(served.kubeconfig(), StandardCharsets.UTF_8)) {
      client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(kubeconfig)).build();
    }
    client.setReadTimeout(0);
    batch = new BatchV1Api(client);
  }

  @AfterEach
  void stop() {
    client.getHttpClient().dispatcher().executorService().shutdown();
    client.getHttpClient().connectionPool().evictAll();
    served.close();
  }

  private static V1Job job(String name) {
    V1PodSpec pod =
        new V1PodSpec()
            .restartPolicy("Never")
            .addContainersItem(new V1Container().name("main").image("none"));
    return new V1Job()
        .apiVersion("batch/v1")
        .kind("Job")
        .metadata(new V1ObjectMeta().name(name))
        .spec(new V1JobSpec().completions(2).template(new V1PodTemplateSpec().spec(pod)));
  }

  private static boolean complete(V1Job job) {
    return job.getStatus() != null
        && job.getStatus().getConditions() != null
        && job.getStatus().getConditions().stream().anyMatch(c -> c.getType().equals("Complete"));
  }

  @Test
  void jobsAreCreatedAndListedPageByPage() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      assertThat(batch.createNamespacedJob(NAMESPACE, job(name)).execute().getMetadata().getUid())
          .isNotEmpty();
    }
    List<String> names = new ArrayList<>();
    String next = "";
    do {
      V1JobList page = batch.listNamespacedJob(NAMESPACE).limit(2)._continue(next).execute();
      page.getItems().forEach(job -> names.add(job.getMetadata().getName()));
      next = page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    assertThat(names).containsExactly("a", "b", "c");
    assertThatThrownBy(() -> batch.createNamespacedJob(NAMESPACE, job("a")).execute())
        .isInstanceOfSatisfying(
            ApiException.class, refusal -> assertThat(refusal.getCode()).isEqualTo(409));
    assertThatThrownBy(() -> batch.readNamespacedJob("nope", NAMESPACE).execute())
        .isInstanceOfSatisfying(
            ApiException.class, refusal -> assertThat(refusal.getCode()).isEqualTo(404));
  }

  @Test
  void aWatchReportsAJobUntilItIsComplete() throws Exception {
    batch.createNamespacedJob(NAMESPACE, job("pi")).execute();
    List<String> types = new ArrayList<>();
    try (Watch<V1Job> watch =
        Watch.createWatch(
            client,
            batch.listNamespacedJob(NAMESPACE).watch(true).buildCall(null),
            new TypeToken<Watch.Response<V1Job>>() {}.getType())) {
      for (Watch.Response<V1Job> event : watch) {
        types.add(event.type);
        if (complete(event.object)) {
          break;
        }
      }
    }
    assertThat(types.getFirst()).isEqualTo("ADDED");
  }

  @Test
  void jobsArePatchedInEveryForm() throws Exception {
    batch.createNamespacedJob(NAMESPACE, job("pi")).execute();
    patched(
        "{\"metadata\":{\"labels\":{\"a\":\"1\"}}}", V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH);
    patched("{\"metadata\":{\"labels\":{\"b\":\"2\"}}}", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH);
    V1Job job =
        patched(
            "[{\"op\":\"add\",\"path\":\"/metadata/labels/c\",\"value\":\"3\"}]",
            V1Patch.PATCH_FORMAT_JSON_PATCH);
    assertThat(job.getMetadata().getLabels())
        .containsEntry("a", "1")
        .containsEntry("b", "2")
        .containsEntry("c", "3");
  }

  private V1Job patched(String patch, String format) throws ApiException {
    return PatchUtils.patch(
        V1Job.class,
        () -> batch.patchNamespacedJob("pi", NAMESPACE, new V1Patch(patch)).buildCall(null),
        format,
        client);
  }

  @Test
  void informersFollowJobsToTheirEnd() throws Exception {
    CompletableFuture<V1Job> done = new CompletableFuture<>();
    CompletableFuture<V1Job> gone = new CompletableFuture<>();
    SharedInformerFactory factory = new SharedInformerFactory(client);
    factory
        .sharedIndexInformerFor(
            parameters ->
                batch
                    .listNamespacedJob(NAMESPACE)
                    .resourceVersion(parameters.resourceVersion)
                    .timeoutSeconds(parameters.timeoutSeconds)
                    .watch(parameters.watch)
                    .buildCall(null),
            V1Job.class,
            V1JobList.class)
        .addEventHandler(
            new ResourceEventHandler<>() {
              @Override
              public void onAdd(V1Job job) {}

              @Override
              public void onUpdate(V1Job before, V1Job after) {
                if (complete(after)) {
                  done.complete(after);
                }
              }

              @Override
              public void onDelete(V1Job job, boolean finalStateUnknown) {
                gone.complete(job);
              }
            });
    factory.startAllRegisteredInformers();
    try {
      batch.createNamespacedJob(NAMESPACE, job("pi")).execute();
      assertThat(done.get(1, TimeUnit.MINUTES).getStatus().getSucceeded()).isEqualTo(2);
      batch.deleteNamespacedJob("pi", NAMESPACE).propagationPolicy("Background").execute();
      assertThat(gone.get(1, TimeUnit.MINUTES).getMetadata().getName()).isEqualTo("pi");
    } finally {
      factory.stopAllRegisteredInformers();
    }
  }
}
