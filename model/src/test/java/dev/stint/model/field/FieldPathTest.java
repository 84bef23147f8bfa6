package dev.stint.model.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class FieldPathTest {
  private final FieldPath root =
      FieldPath.root(
          Json.parse("{\"spec\":{\"list\":[{\"a\":1},{\"a\":\"x\"}],\"map\":{\"x.io/y\":\"1\"}}}"));

  @Test
  void aPlaceKnowsItsPath() {
    assertThat(root.path()).isEmpty();
    assertThat(root.get("spec", "list").items().get(1).get("a").path()).isEqualTo("spec.list[1].a");
    assertThat(root.get("spec", "map").entries().getFirst().path()).isEqualTo("spec.map[x.io/y]");
    assertThat(root.get("spec", "map").entries().getFirst().key()).isEqualTo("x.io/y");
  }

  @Test
  void missingFieldsCanBeRead() {
    FieldPath missing = root.get("nope", "more", "yet");
    assertThat(missing.exists()).isFalse();
    assertThat(missing.path()).isEqualTo("nope.more.yet");
    assertThat(missing.text()).isEmpty();
    assertThat(missing.count()).isZero();
    assertThat(missing.number()).isNull();
    assertThat(missing.items()).isEmpty();
    assertThat(missing.isEmpty()).isTrue();
  }

  @Test
  void equalNumbersAreTheSameWhateverTheirWidth() {
    ObjectNode narrow = Json.object().put("n", 1);
    ObjectNode wide = Json.object().put("n", 1L);
    assertThat(FieldPath.root(narrow).sameAs(FieldPath.root(wide))).isTrue();
    assertThat(FieldPath.root(narrow).sameAs(FieldPath.root(wide.put("n", 2L)))).isFalse();
    assertThat(FieldPath.root(narrow).get("x").sameAs(FieldPath.root(wide).get("y"))).isTrue();
    assertThat(FieldPath.root(narrow).get("n").sameAs(FieldPath.root(wide).get("y"))).isFalse();
  }
}
