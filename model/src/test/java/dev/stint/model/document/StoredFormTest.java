package dev.stint.model.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class StoredFormTest {
  private static final String POD = "'apiVersion':'v1','kind':'Pod'";
  private static final String CONFIG_MAP = "'apiVersion':'v1','kind':'ConfigMap'";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'spec':{'overhead':{},'hostname':'a'} | 'spec':{'hostname':'a'}",
        "'spec':{'resources':{'claims':[]}} | 'spec':{'resources':{}}",
        "'spec':{'ephemeralContainers':[{'name':'a'},{'name':'b','ports':[]}]}"
            + " | 'spec':{'ephemeralContainers':[{'name':'a'},{'name':'b'}]}",
        "'metadata':{'finalizers':[],'managedFields':[],'ownerReferences':[]} | 'metadata':{}",
        "'status':{'containerStatuses':[{'resources':{'claims':[]}}]}"
            + " | 'status':{'containerStatuses':[{'resources':{}}]}",
        "'spec':{'overhead':{'cpu':'1'},'affinity':{}} | 'spec':{'overhead':{'cpu':'1'},'affinity':{}}"
      })
  void listsAndMapsThatCountOnlyWhileTheyAreCheckedAreLeftOut(String checked, String stored) {
    ObjectNode object = object(POD + "," + checked);
    assertThat(StoredForm.of(object)).isEqualTo(object(POD + "," + stored));
    assertThat(object).isEqualTo(object(POD + "," + checked));
  }

  @Test
  void membersOfTheObjectItselfAreLeftOutToo() {
    assertThat(StoredForm.of(object(CONFIG_MAP + ",'data':{},'binaryData':{}")))
        .isEqualTo(object(CONFIG_MAP));
  }

  @Test
  void anObjectThatHasTheFormIsTheVerySame() {
    ObjectNode pod = object(POD + ",'metadata':{'labels':{}},'spec':{'volumes':[]}");
    assertThat(StoredForm.of(pod)).isSameAs(pod);
    ObjectNode unknown = object("'apiVersion':'x.io/v1','kind':'Pod','spec':{'overhead':{}}");
    assertThat(StoredForm.of(unknown)).isSameAs(unknown);
    assertThat(StoredForm.of(Json.object())).isEmpty();
  }

  @Test
  void unchangedPartsAreShared() {
    ObjectNode pod = object(POD + ",'metadata':{'labels':{'a':'b'}},'spec':{'overhead':{}}");
    assertThat(StoredForm.of(pod).get("metadata")).isSameAs(pod.get("metadata"));
  }

  @Test
  void unchangedPartsAreNotConvertedAgain() {
    ObjectNode before = object(POD + ",'spec':{'overhead':{}}");
    ObjectNode after = Json.copyOf(before).put("other", 1);
    assertThat(StoredForm.of(after, before)).isSameAs(after);
  }

  private static ObjectNode object(String members) {
    return Json.parse("{" + members.replace('\'', '"') + "}");
  }
}
