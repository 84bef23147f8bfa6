package dev.stint.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class JsonPatchTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'a':1} | [] | {'a':1}",
        "{'a':1} | [{'op':'add','path':'/b','value':2}] | {'a':1,'b':2}",
        "{'a':[1,3]} | [{'op':'add','path':'/a/1','value':2}] | {'a':[1,2,3]}",
        "{'a':[1]} | [{'op':'add','path':'/a/1','value':2}] | {'a':[1,2]}",
        "{'a':[1]} | [{'op':'add','path':'/a/-','value':[2]}] | {'a':[1,[2]]}",
        "{'a':1} | [{'op':'add','path':'/a','value':null}] | {'a':null}",
        "{'a':1,'b':2} | [{'op':'remove','path':'/b'}] | {'a':1}",
        "{'a':[1,2,3]} | [{'op':'remove','path':'/a/1'}] | {'a':[1,3]}",
        "{'a':[1,2]} | [{'op':'replace','path':'/a/1','value':3}] | {'a':[1,3]}",
        "{'a':{'b':1},'c':{}} | [{'op':'move','from':'/a/b','path':'/c/d'}] | {'a':{},'c':{'d':1}}",
        "{'a':[1,2,3]} | [{'op':'move','from':'/a/0','path':'/a/2'}] | {'a':[2,3,1]}",
        "{'a':{'b':[1]}} | [{'op':'copy','from':'/a','path':'/c'},"
            + "{'op':'add','path':'/c/b/-','value':2}] | {'a':{'b':[1]},'c':{'b':[1,2]}}",
        "{'a/b':1,'m~n':2} | [{'op':'replace','path':'/a~1b','value':3},"
            + "{'op':'remove','path':'/m~0n'}] | {'a/b':3}",
        "{'a':1} | [{'op':'test','path':'/a','value':1}] | {'a':1}",
        "{'a':1} | [{'op':'test','path':'/b','value':null}] | {'a':1}",
        "{'a':1} | [{'op':'replace','path':'/b','value':2}] | {'a':1,'b':2}",
        "{'a':1} | [{'op':'copy','from':'/b','path':'/c'}] | {'a':1,'c':null}",
        "{'a':1} | [{'op':'add','path':'/b'}] | {'a':1,'b':null}",
        "{'a':[1,2]} | [{'op':'remove','path':'/a/-1'}] | {'a':[1]}",
        "{'a':[1,2]} | [{'op':'add','path':'/a/-1','value':3}] | {'a':[1,2,3]}",
        "{'a':[1,2]} | [{'op':'add','path':'/a/01','value':3}] | {'a':[1,3,2]}",
        "{'a':[1,2]} | [{'op':'move','from':'/a/0','path':'/a/0'}] | {'a':[1,2]}",
        "{'a':1} | [{'op':'add','path':'x/b','value':2}] | {'a':1,'b':2}",
        "{'a':{'x':[1]}} | [{'op':'test','path':'','value':{'a':{'x':[1]}}}] | {'a':{'x':[1]}}",
        "{'a':1} | [{'op':'replace','path':'','value':{'b':1}}] | {'b':1}",
        "{'':{'':1}} | [{'op':'replace','path':'//','value':2}] | {'':{'':2}}",
      })
  void carriesOutOperations(String target, String patch, String result) {
    ObjectNode before = Sample.tree(target);
    assertThat(JsonPatch.apply(before, Sample.value(patch))).isEqualTo(Sample.tree(result));
    assertThat(before).isEqualTo(Sample.tree(target));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "[{'op':'test','path':'/a','value':2}] | the value differs",
        "[{'op':'remove','path':'/b'}] | no value exists at /b",
        "[{'op':'test','path':'/a','value':1.0}] | the value differs",
        "[{'op':'test','path':'/a','value':null}] | the value differs",
        "[{'op':'test','path':'/b'}] | the value differs",
        "[{'op':'test','path':'/b/c','value':null}] | no value exists at /b/c",
        "[{'op':'replace','path':'/b/c','value':1}] | no value exists at /b/c",
        "[{'op':'replace','path':'/l/1','value':1}] | the list has no index 1",
        "[{'op':'replace','path':'/a/b','value':1}] | no value exists at /b",
        "[{'op':'move','from':'/b','path':'/c'}] | no value exists at /b",
        "[{'op':'copy','from':'/l/-','path':'/c'}] | the list has no index -",
        "[{'op':'remove','path':'/l/-2'}] | the list has no index -2",
        "[{'op':'add','path':'/b/c','value':1}] | no value exists at /b/c",
        "[{'op':'add','path':'/a/c','value':1}] | no value exists at /a/c",
        "[{'op':'add','path':'/l/3','value':1}] | the list has no index 3",
        "[{'op':'add','path':'','value':{}}] | the operation does not apply to the whole object",
        "[{'op':'remove','path':'/l/-'}] | the list has no index -",
        "[{'op':'add','path':'a','value':1}] | a path must be empty or begin with '/'",
        "[{'op':'copy','path':'/a'}] | the operation must have a \"\"from\"\"",
        "[{'op':'add'}] | an operation must have \"\"op\"\" and \"\"path\"\"",
        "[{'op':'jump','path':'/a'}] | the operation must be one of add, copy, move, remove,",
        "[{'op':'move','from':'/o','path':'/o/x'}] | a value cannot be moved into itself",
        "[{'op':'remove','path':''}] | the operation does not apply to the whole object",
        "[{'op':'replace','path':'','value':[]}] | the result must be an object",
      })
  void refusesOperationsThatFail(String patch, String why) {
    ClusterException refusal =
        refusal(Sample.tree("{'a':1,'l':[1],'o':{}}"), Sample.value(patch.replace("\"\"", "\"")));
    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal.causes()).isEmpty();
    assertThat(refusal.subject()).isNull();
    assertThat(refusal).hasMessageContaining(why.replace("\"\"", "\""));
  }

  @Test
  void refusesWhatIsNoListOfOperations() {
    assertThat(refusal(Json.object(), Sample.tree("{'op':'x'}")).reason())
        .isEqualTo(Reason.BAD_REQUEST);
    assertThat(refusal(Json.object(), Sample.value("[1]")).reason()).isEqualTo(Reason.BAD_REQUEST);
  }

  @Test
  void takesTenThousandOperationsAndNoMore() {
    ArrayNode patch = Json.array();
    for (int i = 0; i < 10_000; i++) {
      patch.addObject().put("op", "add").put("path", "/l/0").put("value", i);
    }
    assertThat(JsonPatch.apply(Sample.tree("{'l':[]}"), patch).get("l")).hasSize(10_000);
    patch.addObject().put("op", "add").put("path", "/l/0").put("value", 0);
    assertThat(refusal(Sample.tree("{'l':[]}"), patch).reason()).isEqualTo(Reason.TOO_LARGE);
  }

  @Test
  void refusesCopiesThatGrowWithoutEnd() {
    ArrayNode patch = Json.array();
    for (int i = 0; i < 64; i++) {
      patch.addObject().put("op", "copy").put("from", "/a").put("path", "/a/-");
    }
    ClusterException refusal = refusal(Sample.tree("{'a':['xxxxxxxxxx']}"), patch);
    assertThat(refusal.reason()).isEqualTo(Reason.TOO_LARGE);
  }

  @Test
  void refusesMovesThatNestWithoutEnd() {
    ArrayNode patch = Json.array();
    for (int i = 0; i < 3_000; i++) {
      patch.addObject().put("op", "add").put("path", "/b").set("value", Json.object());
      patch.addObject().put("op", "move").put("from", "/a").put("path", "/b/x");
      patch.addObject().put("op", "move").put("from", "/b").put("path", "/a");
    }
    assertThat(refusal(Sample.tree("{'a':{}}"), patch)).hasMessageContaining("nested too deeply");
  }

  @Test
  void sharesWhatIsNotTouched() {
    ObjectNode target = Sample.tree("{'spec':{'a':[1]},'status':{'b':{'c':1},'d':{}}}");
    ObjectNode result =
        JsonPatch.apply(target, Sample.value("[{'op':'add','path':'/status/d/e','value':1}]"));
    assertThat(result.get("spec")).isSameAs(target.get("spec"));
    assertThat(result.path("status").get("b")).isSameAs(target.path("status").get("b"));
  }

  /** The same patch on the same target has the same result, whatever was done before. */
  @Test
  void neverChangesTheTargetOrThePatch() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      ObjectNode target = Sample.tree("{'a':{'b':[1,{'c':2}]},'d':[[],{}],'e':5}");
      ArrayNode patch = operations(random);
      JsonNode patchBefore = patch.deepCopy();
      ObjectNode targetBefore = target.deepCopy();
      String first = outcome(target, patch);
      assertThat(target).as("seed %d", seed).isEqualTo(targetBefore);
      assertThat(patch).as("seed %d", seed).isEqualTo(patchBefore);
      assertThat(outcome(target, patch)).as("seed %d", seed).isEqualTo(first);
    }
  }

  private static String outcome(ObjectNode target, JsonNode patch) {
    try {
      return JsonPatch.apply(target, patch).toString();
    } catch (ClusterException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  private static ArrayNode operations(Random random) {
    String[] names = {"add", "remove", "replace", "move", "copy", "add", "add"};
    String[] paths = {
      "/a", "/a/b", "/a/b/0", "/a/b/1", "/a/b/1/c", "/d", "/d/0", "/d/-", "/e", "/f"
    };
    ArrayNode patch = Json.array();
    for (int i = random.nextInt(8); i >= 0; i--) {
      patch
          .addObject()
          .put("op", names[random.nextInt(names.length)])
          .put("path", paths[random.nextInt(paths.length)])
          .put("from", paths[random.nextInt(paths.length)])
          .set("value", random.nextBoolean() ? Sample.tree("{'b':[1]}") : Sample.value("[7]"));
    }
    return patch;
  }

  private static ClusterException refusal(ObjectNode target, JsonNode patch) {
    return assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> JsonPatch.apply(target, patch))
        .actual();
  }
}
