package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.Precondition;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No object is created once the deletion of its namespace has begun. */
class TerminatingNamespacesTest {
  private static final ObjectRef NAMESPACE = new ObjectRef(Kind.NAMESPACE, "", "team");

  private final World world = new World();

  @BeforeEach
  void createTheNamespace() {
    world.create("{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'team'}}");
    world.settle();
  }

  private CompletableFuture<KubeObject> creation() {
    return world.api.create(configMap("team"));
  }

  private static KubeObject configMap(String namespace) {
    return World.document(
        "{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'a', 'namespace': '%s'}}"
            .formatted(namespace));
  }

  private void deleteTheNamespace() {
    world.api.delete(NAMESPACE, new DeleteOptions(null, null, null));
  }

  private int configMaps() {
    return world.answer(world.api.list(Kind.CONFIG_MAP, "team")).items().size();
  }

  private void checkRefused(CompletableFuture<KubeObject> creation) {
    assertThat(world.refusal(creation))
        .hasMessage(
            "configmaps \"a\" is forbidden: unable to create new content in namespace team because"
                + " it is being terminated")
        .extracting(ClusterException::reason)
        .isEqualTo(Reason.FORBIDDEN);
    assertThat(configMaps()).isZero();
  }

  @Test
  void aCreationIsRefusedAfterTheDeletionOfItsNamespace() {
    deleteTheNamespace();
    world.settle();
    checkRefused(creation());
  }

  @Test
  void aCreationIsRefusedWhileTheDeletionOfItsNamespaceIsWritten() {
    deleteTheNamespace();
    CompletableFuture<KubeObject> creation = creation();
    world.settle();
    checkRefused(creation);
  }

  /** The conversion of a custom object may take as long as the rest of a namespace's deletion. */
  @ParameterizedTest
  @CsvSource({"team, true, NOT_FOUND", "default, true,", "team, false,"})
  void aCreationIsRefusedAfterItsNamespaceHasGone(
      String namespace, boolean mustExist, @Nullable Reason refusal) {
    ApiServer.Options options = ApiServer.Options.defaults();
    World strict = new World(mustExist ? options.withNamespacesThatExist() : options);
    strict.create(
        "{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': '%s'}}"
            .formatted(namespace));
    CompletableFuture<KubeObject> creation =
        ((ApiServer) strict.api)
            .registry()
            .create(
                configMap(namespace),
                WriteOptions.PLAIN.admitted((_, _) -> {
                  strict.store.delete("/registry/namespaces/" + namespace, Precondition.any());
                  strict.settle();
                }));
    strict.settle();
    if (refusal == null) {
      assertThat(creation).isCompleted();
    } else {
      assertThat(strict.refusal(creation).reason()).isEqualTo(refusal);
    }
  }

  @Test
  void aCreationThatComesBeforeTheDeletionOfItsNamespaceIsSeenByWhoSeesTheDeletion() {
    CompletableFuture<KubeObject> creation = creation();
    deleteTheNamespace();
    world.settle();
    assertThat(creation).isCompleted();
    assertThat(world.get(NAMESPACE).deletionTimestamp()).isNotNull();
    assertThat(configMaps()).isOne();
  }

  @Test
  void aCreationIsAcceptedWhileItsNamespaceChanges() {
    world.api.patch(NAMESPACE, World.tree("{'metadata': {'labels': {'x': 'y'}}}"));
    CompletableFuture<KubeObject> creation = creation();
    world.settle();
    assertThat(creation).isCompleted();
  }
}
