package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Objects that are read in part look the same as those that are read as a whole. */
class StoredObjectTest {
  private static final String TEXT =
      """
      {"apiVersion":"v1","kind":"Pod","spec":{"a":[{"uid":"wrong","}":"{\\""}],"status":{"phase":"no"}},\
      "metadata":{"labels":{"uid":"no","x":"\\"y\\""},"name":"a-0","uid":"u\\u0041\\"","annotations":{},\
      "finalizers":["f","g"],"creationTimestamp":"2026-01-01T00:00:00Z","ownerReferences":[{"uid":"n"},{"uid":"o","controller":true}]},\
      "status":{"conditions":[{"phase":"no"}],"phase":"Rünning","count":3}}\
      """;

  private static KubeObject stored(String text) {
    return KubeObject.of(text.getBytes(StandardCharsets.UTF_8), "17");
  }

  @Test
  void readsTheSameInPartsAsFromTheWhole() {
    KubeObject whole = stored(TEXT);
    var _ = whole.tree();
    for (KubeObject object : new KubeObject[] {stored(TEXT), whole}) {
      assertThat(object.kind()).isEqualTo(Kind.POD);
      assertThat(object.name()).isEqualTo("a-0");
      assertThat(object.namespace()).isEmpty();
      assertThat(object.uid()).isEqualTo("uA\"");
      assertThat(object.creationTimestamp()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
      assertThat(object.deletionTimestamp()).isNull();
      assertThat(object.statusText("phase")).isEqualTo("Rünning");
      assertThat(object.statusText("reason")).isNull();
      assertThat(object.statusText("count")).isNull();
      assertThat(object.controllerUid()).isEqualTo("o");
      assertThat(object.finalizers()).containsExactly("f", "g");
      assertThat(object.labels()).containsEntry("x", "\"y\"");
      assertThat(object.resourceVersion()).isEqualTo("17");
    }
  }

  @Test
  void metadataAloneIsThatOfTheTree() {
    KubeObject part = stored(TEXT);
    assertThat(part.metadata()).isEqualTo(stored(TEXT).tree().get("metadata"));
    assertThat(part.uid()).isEqualTo("uA\"");
    assertThat(part.tree().get("metadata")).isSameAs(part.metadata());
  }

  @Test
  void anOwnerNeedNotBeTheController() {
    String owned =
        "{\"metadata\":{\"ownerReferences\":[{\"uid\":\"n\",\"controller\":false},{\"uid\":\"o\"}]}}";
    assertThat(stored(owned).controllerUid()).isNull();
    assertThat(stored("{\"metadata\":{\"ownerReferences\":[]}}").controllerUid()).isNull();
  }

  @Test
  void anObjectMayLackAnyPart() {
    for (String text :
        new String[] {"{}", "{\"metadata\":{}}", "{\"metadata\":{},\"status\":{}}"}) {
      KubeObject object = stored(text);
      assertThat(object.uid()).isEmpty();
      assertThat(object.kindName()).isEmpty();
      assertThat(object.controllerUid()).isNull();
      assertThat(object.finalizers()).isEmpty();
      assertThat(object.statusText("phase")).isNull();
      assertThat(Json.text(object.metadata(), "resourceVersion")).isEqualTo("17");
      assertThat(object.metadata()).isEqualTo(stored(text).tree().get("metadata"));
    }
  }
}
