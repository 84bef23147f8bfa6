package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No object of a custom kind is created once the deletion of its definition has begun. */
class TerminatingDefinitionsTest {
  private static final Kind THING = new Kind("example.com", "v1", "Thing", "things", true);
  private static final ObjectRef DEFINITION =
      new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", "things.example.com");
  private static final String DOCUMENT =
      """
      {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',
       'metadata': {'name': 'things.example.com'},
       'spec': {'group': 'example.com', 'scope': 'Namespaced',
        'names': {'plural': 'things', 'kind': 'Thing'},
        'versions': [{'name': 'v1', 'served': true, 'storage': true,
         'schema': {'openAPIV3Schema': {'type': 'object'}}}]}}
      """;

  private final World world = new World();

  @BeforeEach
  void define() {
    world.create(DOCUMENT);
    world.settle();
  }

  private CompletableFuture<KubeObject> creation() {
    return world.api.create(
        World.document(
            "{'apiVersion': 'example.com/v1', 'kind': 'Thing', 'metadata': {'name': 'a'}}"));
  }

  private void deleteTheDefinition() {
    world.api.delete(DEFINITION, new DeleteOptions(null, null, null));
  }

  private void checkRefused(CompletableFuture<KubeObject> creation) {
    assertThat(world.refusal(creation))
        .hasMessage("create not allowed while custom resource definition is terminating")
        .extracting(ClusterException::reason)
        .isEqualTo(Reason.METHOD_NOT_ALLOWED);
    assertThat(world.answer(world.api.list(THING, null)).items()).isEmpty();
  }

  @Test
  void aCreationIsRefusedAfterTheDeletionOfItsDefinition() {
    deleteTheDefinition();
    world.settle();
    checkRefused(creation());
  }

  @Test
  void aCreationIsRefusedWhileTheDeletionOfItsDefinitionIsWritten() {
    deleteTheDefinition();
    CompletableFuture<KubeObject> creation = creation();
    world.settle();
    checkRefused(creation);
  }

  @Test
  void aCreationThatComesBeforeTheDeletionOfItsDefinitionIsSeenByWhoSeesTheDeletion() {
    CompletableFuture<KubeObject> creation = creation();
    deleteTheDefinition();
    world.settle();
    assertThat(creation).isCompleted();
    assertThat(world.get(DEFINITION).deletionTimestamp()).isNotNull();
    assertThat(world.answer(world.api.list(THING, null)).items()).hasSize(1);
  }

  @Test
  void aCreationIsAcceptedWhileItsDefinitionChanges() {
    world.api.patch(DEFINITION, World.tree("{'metadata': {'labels': {'x': 'y'}}}"));
    CompletableFuture<KubeObject> creation = creation();
    world.settle();
    assertThat(creation).isCompleted();
  }
}
