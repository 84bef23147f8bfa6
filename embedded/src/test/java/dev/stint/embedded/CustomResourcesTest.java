package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.engine.SimulatedEngine;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Custom resources in a whole control plane. */
class CustomResourcesTest {
  private static final Kind CRON_TAB =
      new Kind("stable.example.com", "v1", "CronTab", "crontabs", true);
  private static final ObjectRef DEFINITION =
      new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", "crontabs.stable.example.com");

  private final ControlPlane plane;

  CustomResourcesTest() throws Exception {
    plane = new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT);
  }

  private static KubeObject object(String json) {
    return KubeObject.of(Json.parse(json.replace('\'', '"')));
  }

  @BeforeEach
  void start() throws Exception {
    plane.start(Set.of(ControllerName.values()), null).get(60, TimeUnit.SECONDS);
    define("crontabs");
  }

  private KubeObject define(String plural) throws Exception {
    return cluster()
        .create(
            object(
                ("{'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',"
                        + " 'metadata': {'name': '%1$s.stable.example.com'}, 'spec': {'group':"
                        + " 'stable.example.com', 'scope': 'Namespaced', 'names': {'plural':"
                        + " '%1$s', 'kind': 'CronTab'}, 'versions': [{'name': 'v1', 'served': true,"
                        + " 'storage': true, 'schema': {'openAPIV3Schema': {'type': 'object'}}}]}}")
                    .formatted(plural)))
        .get();
  }

  @AfterEach
  void close() {
    plane.close();
  }

  private Cluster cluster() {
    return plane.cluster();
  }

  private ObjectRef create(String namespace, String name) throws Exception {
    cluster()
        .create(
            object(
                "{'apiVersion': 'stable.example.com/v1', 'kind': 'CronTab', 'metadata': {'name':"
                    + " '%s', 'namespace': '%s'}}".formatted(name, namespace)))
        .get();
    return new ObjectRef(CRON_TAB, namespace, name);
  }

  /** Returns a future that completes when an object is removed. */
  private CompletableFuture<KubeObject> removal(Kind kind) throws Exception {
    String revision = cluster().list(kind, null).get().resourceVersion();
    return event(kind, revision, event -> event.type() == WatchEvent.Type.DELETED);
  }

  /** Returns a future that completes when an object is being deleted. */
  private CompletableFuture<KubeObject> deletionMark(KubeObject object) {
    return event(
        CRON_TAB,
        object.resourceVersion(),
        event ->
            event.object().uid().equals(object.uid())
                && event.object().deletionTimestamp() != null);
  }

  private CompletableFuture<KubeObject> event(
      Kind kind, String revision, Predicate<WatchEvent> wanted) {
    CompletableFuture<KubeObject> seen = new CompletableFuture<>();
    cluster()
        .watch(
            kind,
            null,
            revision,
            new WatchHandler() {
              @Override
              public void onEvent(WatchEvent event) {
                if (wanted.test(event)) {
                  seen.complete(event.object());
                }
              }

              @Override
              public void onClosed(@Nullable ClusterException cause) {}
            });
    return seen;
  }

  @Test
  void aDefinitionIsDeletedWithItsObjects() throws Exception {
    create("default", "a");
    create("default", "b");
    CompletableFuture<KubeObject> removed = removal(Kind.CUSTOM_RESOURCE_DEFINITION);
    cluster().delete(DEFINITION, new DeleteOptions(null, null, null)).get();
    assertThat(removed.get(60, TimeUnit.SECONDS).name()).isEqualTo(DEFINITION.name());
    assertThat(plane.api().storedKinds()).doesNotContain(CRON_TAB);
  }

  @Test
  void aNamespaceIsDeletedWithItsCustomResources() throws Exception {
    cluster()
        .create(object("{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'team'}}"))
        .get();
    create("team", "a");
    create("default", "b");
    CompletableFuture<KubeObject> removed = removal(Kind.NAMESPACE);
    cluster()
        .delete(new ObjectRef(Kind.NAMESPACE, "", "team"), new DeleteOptions(null, null, null))
        .get();
    assertThat(removed.get(60, TimeUnit.SECONDS).name()).isEqualTo("team");
    assertThat(cluster().list(CRON_TAB, null).get().items())
        .extracting(KubeObject::name)
        .containsExactly("b");
  }

  private void createConfigMap(String name, KubeObject owner) throws Exception {
    cluster()
        .create(
            object(
                ("{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': '%s',"
                        + " 'namespace': 'default', 'ownerReferences': [{'apiVersion': '%s',"
                        + " 'kind': '%s', 'name': '%s', 'uid': '%s'}]}}")
                    .formatted(
                        name, owner.apiVersion(), owner.kindName(), owner.name(), owner.uid())))
        .get();
  }

  @Test
  void whatACustomResourceOwnsIsDeletedWithIt() throws Exception {
    ObjectRef owner = create("default", "a");
    createConfigMap("owned", cluster().get(owner).get());
    CompletableFuture<KubeObject> removed = removal(Kind.CONFIG_MAP);
    cluster().delete(owner, new DeleteOptions(null, null, null)).get();
    assertThat(removed.get(60, TimeUnit.SECONDS).name()).isEqualTo("owned");
  }

  @Test
  void aCustomOwnerWaitsForThoseThatBlockItsDeletion() throws Exception {
    KubeObject owner = cluster().get(create("default", "owner")).get();
    KubeObject owned =
        cluster()
            .create(
                object(
                    ("{'apiVersion': 'stable.example.com/v1', 'kind': 'CronTab', 'metadata':"
                            + " {'name': 'owned', 'namespace': 'default', 'finalizers':"
                            + " ['example.com/held'], 'ownerReferences': [{'apiVersion': '%s',"
                            + " 'kind': 'CronTab', 'name': 'owner', 'uid': '%s',"
                            + " 'blockOwnerDeletion': true}]}}")
                        .formatted(owner.apiVersion(), owner.uid())))
            .get();
    CompletableFuture<KubeObject> first = removal(CRON_TAB);
    CompletableFuture<KubeObject> marked = deletionMark(owned);
    cluster()
        .delete(
            new ObjectRef(CRON_TAB, "default", "owner"),
            new DeleteOptions(null, null, Propagation.FOREGROUND))
        .get();
    marked.get(60, TimeUnit.SECONDS);
    assertThat(cluster().get(new ObjectRef(CRON_TAB, "default", "owner")).get().finalizers())
        .containsExactly("foregroundDeletion");
    cluster()
        .patch(
            new ObjectRef(CRON_TAB, "default", "owned"),
            Json.parse("{\"metadata\": {\"finalizers\": null}}"))
        .get();
    assertThat(first.get(60, TimeUnit.SECONDS).name()).isEqualTo("owned");
    CompletableFuture<KubeObject> second = removal(CRON_TAB);
    if (!cluster().list(CRON_TAB, null).get().items().isEmpty()) {
      assertThat(second.get(60, TimeUnit.SECONDS).name()).isEqualTo("owner");
    }
  }

  @Test
  void whatACustomResourceOwnsIsDeletedWithItsDefinition() throws Exception {
    createConfigMap("owned", cluster().get(create("default", "a")).get());
    CompletableFuture<KubeObject> removed = removal(Kind.CONFIG_MAP);
    cluster().delete(DEFINITION, new DeleteOptions(null, null, null)).get();
    assertThat(removed.get(60, TimeUnit.SECONDS).name()).isEqualTo("owned");
  }

  @Test
  void aDefinitionIsEstablishedOnceTheOtherWithItsNamesIsGone() throws Exception {
    KubeObject second = define("tabs");
    assertThat(second.tree().at("/status/conditions/1/status").asString()).isEqualTo("False");
    CompletableFuture<KubeObject> established =
        event(
            Kind.CUSTOM_RESOURCE_DEFINITION,
            second.resourceVersion(),
            event -> event.object().uid().equals(second.uid()));
    cluster().delete(DEFINITION, new DeleteOptions(null, null, null)).get();
    assertThat(
            established
                .get(60, TimeUnit.SECONDS)
                .tree()
                .at("/status/conditions/1/status")
                .asString())
        .isEqualTo("True");
    assertThat(plane.api().storedKinds())
        .contains(new Kind("stable.example.com", "v1", "CronTab", "tabs", true));
  }

  @Test
  void aDefinitionThatWasNeverEstablishedIsDeleted() throws Exception {
    KubeObject second = define("tabs");
    CompletableFuture<KubeObject> removed = removal(Kind.CUSTOM_RESOURCE_DEFINITION);
    cluster()
        .delete(
            new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", second.name()),
            new DeleteOptions(null, null, null))
        .get();
    assertThat(removed.get(60, TimeUnit.SECONDS).uid()).isEqualTo(second.uid());
  }
}
