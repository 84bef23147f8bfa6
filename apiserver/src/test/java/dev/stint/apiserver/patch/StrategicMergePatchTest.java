package dev.stint.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class StrategicMergePatchTest {
  private static final ObjectSchema POD = Schema.type("PodSpec");
  private static final ObjectSchema META = Schema.type("ObjectMeta");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'nodeName':'a'} | {'nodeName':'b','hostname':'h'} | {'nodeName':'b','hostname':'h'}",
        "{'nodeName':'a','hostname':'h'} | {'nodeName':null} | {'hostname':'h'}",
        "{} | {'securityContext':{'runAsUser':1,'runAsGroup':null}} | {'securityContext':{'runAsUser':1}}",
        "{'nodeSelector':{'a':'1'}} | {'nodeSelector':{'b':'2','a':null}} | {'nodeSelector':{'b':'2'}}",
        // Items are matched by key; a new one precedes those that the patch does not name.
        "{'containers':[{'name':'a','image':'1'}]} | {'containers':[{'name':'a','tty':true}]}"
            + " | {'containers':[{'name':'a','image':'1','tty':true}]}",
        "{'containers':[{'name':'a'}]} | {'containers':[{'name':'b'}]}"
            + " | {'containers':[{'name':'b'},{'name':'a'}]}",
        "{'containers':[{'name':'a'},{'name':'b'}]} | {'containers':[{'name':'a','$patch':'delete'}]}"
            + " | {'containers':[{'name':'b'}]}",
        "{'containers':[{'name':'a'}]} | {'containers':[{'name':'b'},{'$patch':'replace'}]}"
            + " | {'containers':[{'name':'b'}]}",
        "{'containers':[{'name':'a','image':'1'}]}"
            + " | {'containers':[{'name':'a','$patch':'replace','tty':true}]}"
            + " | {'containers':[]}",
        "{'tolerations':[{'key':'a'}]} | {'tolerations':[{'key':'b'}]} | {'tolerations':[{'key':'b'}]}",
        "{'securityContext':{'runAsUser':1}} | {'securityContext':{'$patch':'replace','runAsGroup':2}}"
            + " | {'securityContext':{'runAsGroup':2}}",
        "{'securityContext':{'runAsUser':1}} | {'securityContext':{'$patch':'delete'}}"
            + " | {'securityContext':{}}",
        "{'volumes':[{'name':'v','emptyDir':{}}]}"
            + " | {'volumes':[{'name':'v','hostPath':{'path':'/'},'$retainKeys':['name','hostPath']}]}"
            + " | {'volumes':[{'name':'v','hostPath':{'path':'/'}}]}",
        "{'containers':[{'name':'a'},{'name':'x'},{'name':'b'}]}"
            + " | {'$setElementOrder/containers':[{'name':'a'},{'name':'n'},{'name':'b'}],"
            + "'containers':[{'name':'n'}]}"
            + " | {'containers':[{'name':'a'},{'name':'n'},{'name':'x'},{'name':'b'}]}",
        "{'containers':[{'name':'a'},{'name':'b'}]}"
            + " | {'$setElementOrder/containers':[{'name':'b'},{'name':'a'}]}"
            + " | {'containers':[{'name':'b'},{'name':'a'}]}",
        "{'containers':[{'name':'a','env':[{'name':'A','value':'1'}]}]}"
            + " | {'containers':[{'name':'a','env':[{'name':'B','value':'2'}]}]}"
            + " | {'containers':[{'name':'a','env':[{'name':'B','value':'2'},{'name':'A','value':'1'}]}]}",
        "{} | {'containers':[{'name':'a','$patch':'delete'},{'name':'b'}]} | {'containers':[{'name':'b'}]}",
        // A part without a counterpart loses its directives, except those in a new item.
        "{} | {'securityContext':{'$patch':'delete'}} | {}",
        "{} | {'securityContext':{'$patch':'replace','runAsUser':1}} | {}",
        "{'containers':[{'name':'a'}]} | {'containers':[{'name':'a','livenessProbe':{'$patch':'delete'}}]}"
            + " | {'containers':[{'name':'a'}]}",
        "{'containers':[{'name':'a'}]}"
            + " | {'containers':[{'name':'b','ports':[{'containerPort':1,'$patch':'delete'}]}]}"
            + " | {'containers':[{'name':'b','ports':[{'containerPort':1,'$patch':'delete'}]},{'name':'a'}]}",
        "{'containers':[{'name':'a','env':[{'name':'A'}]}]}"
            + " | {'containers':[{'name':'a','$setElementOrder/env':[{'name':'A'}],'env':[]}]}"
            + " | {'containers':[{'name':'a','env':[{'name':'A'}]}]}",
      })
  void mergesByTheSchema(String target, String patch, String result) {
    ObjectNode before = Sample.tree(target);
    assertThat(StrategicMergePatch.apply(before, Sample.tree(patch), POD))
        .isEqualTo(Sample.tree(result));
    assertThat(before).isEqualTo(Sample.tree(target));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'finalizers':['a','b']} | {'finalizers':['c']} | {'finalizers':['c','a','b']}",
        "{'finalizers':['a','b']} | {'finalizers':['b']} | {'finalizers':['a','b']}",
        "{'finalizers':['a','b','a']} | {'$deleteFromPrimitiveList/finalizers':['a']}"
            + " | {'finalizers':['b']}",
        "{'finalizers':['a','b','c']} | {'$setElementOrder/finalizers':['b','c','a']}"
            + " | {'finalizers':['b','c','a']}",
        "{'ownerReferences':[{'uid':'1','name':'x'}]} | {'ownerReferences':[{'uid':'1','name':'y'}]}"
            + " | {'ownerReferences':[{'uid':'1','name':'y'}]}",
      })
  void mergesListsOfValues(String target, String patch, String result) {
    assertThat(StrategicMergePatch.apply(Sample.tree(target), Sample.tree(patch), META))
        .isEqualTo(Sample.tree(result));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'containers':[{'image':'a'}]} | every item of containers must have a name",
        "{'containers':['a']} | every item of containers must have a name",
        "{'securityContext':{'$patch':'forget'}} | $patch must be delete or replace",
        "{'securityContext':{'$patch':'merge'}} | $patch must be delete or replace",
        "{'containers':[{'name':'a','$patch':'merge'}]} | $patch must be delete or replace",
        "{'$setElementOrder/containers':[{'name':'b'},{'name':'a'}],"
            + "'containers':[{'name':'a'},{'name':'b'}]} | in its order",
        "{'$setElementOrder/containers':[{'name':'a'}],"
            + "'containers':[{'name':'a'},{'name':'a'}]} | in its order",
        "{'$setElementOrder/volumes':[{'name':'a'}],'volumes':[]} | orders a list that has no items",
        "{'$retainKeys':['a'],'hostname':'h'} | $retainKeys must list hostname",
        "{'$retainKeys':1} | $retainKeys must be a list",
        "{'$setElementOrder/containers':1} | $setElementOrder/containers must be a list",
        "{'$setElementOrder/containers':[{'name':'a'}],'containers':[{'name':'b'}]} | must list all",
        "{'$deleteFromPrimitiveList/x':1} | must be a list",
        "{'$what':1} | unknown directive $what",
      })
  void refusesDirectivesThatMakeNoSense(String patch, String why) {
    ClusterException refusal =
        assertThatExceptionOfType(ClusterException.class)
            .isThrownBy(() ->
                StrategicMergePatch.apply(
                    Sample.tree("{'containers':[{'name':'a'}],'securityContext':{}}"),
                    Sample.tree(patch),
                    POD))
            .actual();
    assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(refusal).hasMessageContaining(why);
  }

  /** The documentation's example: conditions of a status are merged by type. */
  @Test
  void mergesConditionsByType() {
    ObjectNode status = Sample.tree("{'status':{'conditions':[{'type':'A','status':'True'}]}}");
    ObjectNode patch = Sample.tree("{'status':{'conditions':[{'type':'A','reason':'R'}]}}");
    assertThat(StrategicMergePatch.apply(status, patch, Schema.type("Job")))
        .isEqualTo(
            Sample.tree("{'status':{'conditions':[{'type':'A','status':'True','reason':'R'}]}}"));
  }

  @Test
  void sharesWhatIsNotTouched() {
    ObjectNode job = Sample.job();
    ObjectNode patched =
        StrategicMergePatch.apply(
            job, Sample.tree("{'metadata':{'labels':{'a':'b'}}}"), Schema.type("Job"));
    assertThat(patched.get("spec")).isSameAs(job.get("spec"));
  }

  @Test
  void longListsTakeNoLongerThanTheyAre() {
    ObjectNode target = Json.object();
    ObjectNode patch = Json.object();
    ArrayNode old = target.putArray("containers");
    ArrayNode changes = patch.putArray("containers");
    for (int i = 0; i < 50_000; i++) {
      old.addObject().put("name", "c" + i);
      ObjectNode change = changes.addObject().put("name", "c" + (i + 25_000));
      if (i % 2 == 0) {
        change.put("$patch", "delete");
      }
    }
    assertThat(StrategicMergePatch.apply(target, patch, POD).get("containers")).hasSize(50_000);
  }

  /**
   * The items of a patch follow its order, all others keep theirs; a repetition changes nothing.
   */
  @Test
  void keepsBothOrders() {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      ObjectNode target = Json.object();
      ObjectNode patch = Json.object();
      ArrayNode old = containers(random, target);
      ArrayNode changes = containers(random, patch);
      ObjectNode result = StrategicMergePatch.apply(target, patch, POD);
      assertThat(result.get("containers").findValuesAsString("name"))
          .as("seed %d", seed)
          .doesNotHaveDuplicates()
          .containsSubsequence(changes.findValuesAsString("name"))
          .containsAll(old.findValuesAsString("name"));
      var others = old.findValuesAsString("name");
      others.removeAll(changes.findValuesAsString("name"));
      assertThat(result.get("containers").findValuesAsString("name"))
          .as("seed %d", seed)
          .filteredOn(others::contains)
          .isEqualTo(others);
      assertThat(StrategicMergePatch.apply(result, patch, POD))
          .as("seed %d", seed)
          .isEqualTo(result);
    }
  }

  private static ArrayNode containers(Random random, ObjectNode spec) {
    ArrayNode containers = spec.putArray("containers");
    random
        .ints(0, 12)
        .distinct()
        .limit(1 + random.nextInt(7))
        .forEach(name ->
            containers.addObject().put("name", "c" + name).put("image", "i" + random.nextInt(3)));
    return containers;
  }
}
