package dev.stint.apiserver.http.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.write.Warnings;
import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class OwnerWarningsTest {
  private static ObjectNode owned(String owners) {
    return Json.parse(("{'metadata': {'ownerReferences': [" + owners + "]}}").replace('\'', '"'));
  }

  @Test
  void anOwnerThatStandsThereTwiceIsKeptOnceAndWarnedOf() {
    Warnings warnings = new Warnings();
    ObjectNode object =
        owned("{'uid': 'u', 'name': 'a'}, {'uid': 'v'}, {'name': 'a', 'uid': 'u'}, {'uid': 'v'}");
    OwnerWarnings.dropRepeated(object, warnings);
    assertThat(object).isEqualTo(owned("{'uid': 'u', 'name': 'a'}, {'uid': 'v'}"));
    assertThat(warnings.texts())
        .containsExactly(
            ".metadata.ownerReferences contains duplicate entries; API server dedups owner"
                + " references in 1.20+, and may reject such requests as early as 1.24; please fix"
                + " your requests; duplicate UID(s) observed: u, v");
  }

  @Test
  void ownersOfOneUidThatDifferStay() {
    Warnings warnings = new Warnings();
    ObjectNode object = owned("{'uid': 'u', 'name': 'a'}, {'uid': 'u', 'name': 'b'}");
    OwnerWarnings.dropRepeated(object, warnings);
    assertThat(object.at("/metadata/ownerReferences")).hasSize(2);
    assertThat(warnings.texts()).isEmpty();
  }
}
