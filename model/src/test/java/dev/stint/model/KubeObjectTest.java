package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class KubeObjectTest {
  @Test
  void theRevisionIsPutIntoTheTextOfWhatIsStored() {
    byte[] stored = text("{'kind':'Job','metadata':{'name':'a'},'spec':{}}");
    assertThat(new String(KubeObject.of(stored, "7").bytes(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{'kind':'Job','metadata':{'resourceVersion':'7','name':'a'},'spec':{}}"
                .replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'apiVersion':'v1','kind':'Job','spec':{'kind':'x'}} | {'spec':{'kind':'x'}}",
        "{'spec':{},'kind':'Job','x':[1,2],'apiVersion':'v1'} | {'spec':{},'x':[1,2]}",
        "{'a':'}','kind':'Job'} | {'a':'}'}",
        "{'kind':'Job','apiVersion':'v1'} | {}",
        "{'a':1,'kind':'Job','apiVersion':'v1'} | {'a':1}",
        "{'kind':'Job','a':1,'apiVersion':'v1','b':2} | {'a':1,'b':2}",
        "{'a':{'kind':'b'}} | {'a':{'kind':'b'}}",
        "{} | {}",
      })
  void anItemOfAListDoesNotSayWhatItIs(String json, String item) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    KubeObject.of(text(json)).writeItem(out);
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(item.replace('\'', '"'));
  }

  @Test
  void aTrimmedObjectIsParsedAgainOnUse() {
    KubeObject stored = KubeObject.of(text("{'kind':'Job','metadata':{'name':'a'}}"), "7");
    ObjectNode before = stored.tree();
    stored.trim();
    assertThat((JsonNode) stored.tree()).isEqualTo(before).isNotSameAs(before);
    KubeObject made = KubeObject.of(before);
    made.trim();
    assertThat((JsonNode) made.tree()).isEqualTo(before).isNotSameAs(before);
    assertThat(made.resourceVersion()).isEqualTo("7");
  }

  @Test
  void aSharedTreeCantBeChanged() {
    ObjectNode built = Json.parse("{\"metadata\":{\"labels\":{}},\"spec\":{\"list\":[{}]}}");
    KubeObject made = KubeObject.of(built);
    KubeObject stored = KubeObject.of(Json.bytes(built), "7");
    refusesChanges(stored.metadata());
    for (KubeObject object : List.of(made, stored)) {
      refusesChanges(object.tree());
      refusesChanges(object.metadata());
      refusesChanges(object.spec());
      refusesChanges(object.tree().at("/metadata/labels"));
      refusesChanges(object.tree().at("/spec/list/0"));
      assertThatThrownBy(() -> ((ArrayNode) object.tree().at("/spec/list")).add(1))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  private static void refusesChanges(@Nullable JsonNode node) {
    assertThat(node)
        .isInstanceOfSatisfying(
            ObjectNode.class,
            object ->
                assertThatThrownBy(() -> object.put("a", "b"))
                    .isInstanceOf(UnsupportedOperationException.class));
  }

  @Test
  void aCopyOfASharedTreeCanBeChanged() {
    KubeObject object = KubeObject.of(Json.parse("{\"spec\":{\"list\":[{\"a\":1}]}}"));
    ObjectNode deep = object.copy();
    ((ObjectNode) deep.at("/spec/list/0")).put("a", 2);
    ObjectNode shallow = Json.copyOf(object.tree()).put("kind", "Job");
    assertThat(shallow.get("spec")).isSameAs(object.tree().get("spec"));
    assertThat(deep.toString()).isEqualTo("{\"spec\":{\"list\":[{\"a\":2}]}}");
    assertThat(object.tree().toString()).isEqualTo("{\"spec\":{\"list\":[{\"a\":1}]}}");
  }

  @Test
  void textAndTreeSayTheSameWhateverStandsBeforeTheMetadata() {
    for (int seed = 0; seed < 200; seed++) {
      ObjectNode tree = shuffled(new Random(seed));
      KubeObject object = KubeObject.of(Json.bytes(tree), "42");
      ObjectNode read = Json.parse(object.bytes());
      assertThat((JsonNode) read).as("seed %d", seed).isEqualTo(object.tree());
      assertThat(KubeObject.of(read).resourceVersion()).isEqualTo("42");
    }
  }

  private static ObjectNode shuffled(Random random) {
    ObjectNode all = Json.object();
    all.put("apiVersion", "v1");
    all.putObject("data").put("metadata", "{\"metadata\":{\"x\":1}}").put("k\\\"", "\\");
    all.putArray("list").add("]}\"").add(1).addObject().putObject("metadata").put("n", true);
    all.put("number", -1.5e3);
    all.putNull("nothing");
    ObjectNode metadata = all.putObject("metadata");
    if (random.nextBoolean()) {
      metadata.put("name", "a\"b");
    }
    List<String> members = new ArrayList<>(all.propertyNames());
    Collections.shuffle(members, random);
    ObjectNode shuffled = Json.object();
    members.forEach(member -> shuffled.set(member, all.get(member)));
    return shuffled;
  }

  private static byte[] text(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }
}
