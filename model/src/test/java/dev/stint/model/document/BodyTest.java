package dev.stint.model.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Request bodies are read as by a Kubernetes API server. */
@Isolated("Changes the locale of the JVM.")
class BodyTest {
  @Test
  void nullIsAnObjectWithNothingInIt() {
    for (Read body : new Read[] {json("null"), yaml(""), yaml("~"), yaml("# nothing\n")}) {
      assertThat(body.faults()).isEmpty();
      assertThat(body.object().tree().propertyNames()).isSubsetOf("metadata", "spec", "status");
    }
  }

  @Test
  void onlyTheFirstOfSeveralYamlDocumentsCounts() {
    assertThat(yaml("metadata: {name: a}\n---\nmetadata: {name: b}\n").object().name())
        .isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "5", "{} {}", "\uFEFF{}", "{", "{\"a\":1,}"})
  void otherJsonIsRefused(String text) {
    assertThatThrownBy(() -> json(text)).isInstanceOf(DocumentSyntaxException.class);
  }

  @Test
  void jsonInAnotherEncodingIsRefused() {
    byte[] wide = "{}".getBytes(StandardCharsets.UTF_16BE);
    assertThatThrownBy(() -> Documents.readOne(wide, false, "v1", "Pod"))
        .isInstanceOf(DocumentSyntaxException.class);
  }

  /** An object and a list count as several values each. */
  @Test
  void manySmallValuesAreRefused() {
    int most = DocumentLimits.BODY_VALUES - DocumentLimits.OBJECT - DocumentLimits.LIST;
    assertThat(any("{\"a\":[" + "0,".repeat(most - 1) + "0]}", false)).hasSize(most);
    assertHasTooMany("{\"a\":[" + "0,".repeat(most) + "0]}", false);
    int mostObjects = most / DocumentLimits.OBJECT;
    assertThat(any("{\"a\":[" + "{},".repeat(mostObjects - 1) + "{}]}", false))
        .hasSize(mostObjects);
    assertHasTooMany("{\"a\":[" + "{},".repeat(mostObjects) + "{}]}", false);
    int mostLists = most / DocumentLimits.LIST;
    assertThat(any("{\"a\":[" + "[],".repeat(mostLists - 1) + "[]]}", false)).hasSize(mostLists);
    assertHasTooMany("{\"a\":[" + "[],".repeat(mostLists) + "[]]}", false);
    byte[] patch = ("[" + "{},".repeat(mostObjects + 2) + "{}]").getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> Documents.readJson(patch))
        .isInstanceOf(DocumentSyntaxException.class)
        .hasMessageContaining("too many values");
  }

  /** The first list counts as 103 values, each alias too, and the rest with its names as 20. */
  @Test
  void aliasesCountAsTheValuesThatTheyStandFor() {
    String text = "b: &b [" + "0,".repeat(99) + "0]\na: [%s[]]\n";
    int most = (DocumentLimits.BODY_VALUES - 20) / 103 - 1;
    assertThat(any(text.formatted("*b,".repeat(most)), true)).hasSize(most + 1);
    assertHasTooMany(text.formatted("*b,".repeat(most + 1)), true);
  }

  private static JsonNode any(String text, boolean yaml) {
    return Documents.readAny(text.getBytes(StandardCharsets.UTF_8), yaml).tree().get("a");
  }

  private static void assertHasTooMany(String text, boolean yaml) {
    assertThatThrownBy(() -> any(text, yaml))
        .isInstanceOf(DocumentSyntaxException.class)
        .hasMessageContaining("too many values; at most 1500000");
  }

  @Test
  void aByteOrderMarkBeforeYamlIsSkipped() {
    assertThat(yaml("\uFEFFmetadata: {name: a}").object().name()).isEqualTo("a");
  }

  @Test
  void bracesWithTabsAndACommaAtTheEndAreYaml() {
    String text =
        "{\n\t\"metadata\": {\n\t\t\"name\": 'a',\n\t\t\"labels\": {a: it's\t, b: \"\\\"\t\"}\n\t},\n}\n";
    assertThat(yaml(text).object().name()).isEqualTo("a");
    assertThat(yaml(text).object().labels()).containsEntry("a", "it's").containsEntry("b", "\"\t");
  }

  @Test
  void repeatedMembersAreMerged() {
    Read body =
        json("{'spec':{'parallelism':1,'suspend':true},'spec':{'completions':2,'parallelism':3}}");
    JsonNode spec = body.object().tree().path("spec");
    assertThat(spec.get("parallelism").intValue()).isEqualTo(3);
    assertThat(spec.get("completions").intValue()).isEqualTo(2);
    assertThat(spec.get("suspend").booleanValue()).isTrue();
    assertThat(body.faults())
        .extracting(fault -> fault.type() + " " + fault.path())
        .containsExactly("REPEATED spec");
  }

  @Test
  void itemsOfRepeatedListsAreMergedInTheirPlaces() {
    JsonNode conditions =
        json("{'status':{'conditions':[{'type':'A','reason':'R'},{'type':'B'}],"
                + "'conditions':[{'type':'C'}]}}")
            .object()
            .tree()
            .at("/status/conditions");
    assertThat(conditions).hasSize(1);
    assertThat(conditions.at("/0/type").stringValue()).isEqualTo("C");
    assertThat(conditions.at("/0/reason").stringValue()).isEqualTo("R");
  }

  @Test
  void membersRepeatedInsideARepeatedMemberAreMergedToo() {
    Read body =
        json(
            "{'spec':{'template':{'metadata':{'name':'a'}},'template':{'metadata':{'labels':"
                + "{'k':'v'}}}},'spec':{'template':{'metadata':{'namespace':'n'}}}}");
    JsonNode metadata = body.object().tree().at("/spec/template/metadata");
    assertThat(metadata.path("name").asString("")).isEqualTo("a");
    assertThat(metadata.path("namespace").asString("")).isEqualTo("n");
    assertThat(metadata.at("/labels/k").asString("")).isEqualTo("v");
    assertThat(body.faults())
        .extracting(fault -> fault.type() + " " + fault.path())
        .containsExactly("REPEATED spec.template", "REPEATED spec");
  }

  @Test
  void aRepeatOfAnotherTypeReplacesEarlierOnes() {
    Read body = json("{'spec':{'parallelism':1},'spec':null,'spec':{'completions':2},'spec':{}}");
    JsonNode spec = body.object().tree().path("spec");
    assertThat(spec.has("parallelism")).isFalse();
    assertThat(spec.path("completions").intValue()).isEqualTo(2);
    assertThat(body.faults()).hasSize(3);
  }

  @Test
  void theFaultsOfEachRepeatAreReportedOnce() {
    Read body =
        json("{'spec':{'a':1,'parallelism':'x'},'spec':{'template':{'b':1},'template':{'c':1}}}");
    assertThat(body.faults())
        .extracting(fault -> fault.type() + " " + fault.path())
        .containsExactly(
            "UNKNOWN spec.a",
            "UNDECODABLE spec.parallelism",
            "REPEATED spec",
            "UNKNOWN spec.template.b",
            "REPEATED spec.template",
            "UNKNOWN spec.template.c");
  }

  @Test
  void membersOfAnObjectMayStandAgainAHundredTimes() {
    assertThat(json("{'spec':{}" + ",'spec':{}".repeat(100) + "}").faults())
        .hasSize(100)
        .allSatisfy(fault -> assertThat(fault.type()).isEqualTo(FieldError.Type.REPEATED));
    Read body = json("{'spec':{}" + ",'spec':{}".repeat(5000) + ",'nope':1}");
    assertThat(body.faults())
        .filteredOn(fault -> fault.type() != FieldError.Type.REPEATED)
        .extracting(fault -> fault.type() + " " + fault.path())
        .containsExactly("UNDECODABLE spec", "UNKNOWN nope");
    assertThat(body.faults().get(100).detail()).startsWith("has too many duplicates");
  }

  @Test
  void keysAreTheSameWhereverTheyAreRead() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(yaml("metadata: {labels: {1e6: x}}").object().labels()).containsOnlyKeys("1e+06");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aRepeatedYamlKeyIsReportedWithItsLine() {
    Read body = yaml("spec:\n  parallelism: 1\n  parallelism: 2\n");
    assertThat(body.object().tree().at("/spec/parallelism").intValue()).isEqualTo(2);
    assertThat(body.faults())
        .extracting(fault -> fault.type() + " " + fault.path() + " " + fault.detail())
        .containsExactly("REPEATED  line 3: key \"parallelism\" already set in map");
  }

  @Test
  void aLaterMergeKeyOverridesEarlierKeys() {
    Read body = yaml("metadata:\n  labels: &l {a: b}\n  annotations:\n    a: z\n    <<: *l\n");
    assertThat(body.object().annotations()).containsEntry("a", "b");
    assertThat(body.faults()).hasSize(1);
    Read before = yaml("metadata:\n  labels: &l {a: b}\n  annotations:\n    <<: [{q: r}, *l]\n");
    assertThat(before.object().annotations()).containsEntry("a", "b").containsEntry("q", "r");
    assertThat(before.faults()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "5, 5",
    "+5, 5",
    "-0, 0",
    "0x10, 16",
    "010, 8",
    "08, 8",
    "1_000, 1000",
    "yes, true",
    "Off, false",
    "1e-1, 0.1",
    "1E3, 1000",
    "1e6, 1e+06",
    "685_230.15, 685230.1",
    "99999999999999999999, 1e+20",
    "1e-5, 1e-05",
    "!!bool yes, true",
    "!foo 5, 5",
    "'\"yes\"', yes",
    "text, text"
  })
  void keysOfYamlBecomeText(String written, String key) {
    assertThat(yaml("metadata: {labels: {" + written + ": x}}").object().labels())
        .containsOnlyKeys(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metadata: {labels: {null: x}}",
        "metadata: {labels: {18446744073709551615: x}}",
        "metadata: {labels: {a: .inf}}",
        "metadata: {labels: {a: -.Inf}}",
        "metadata: {labels: {a: .NaN}}",
        "metadata: {labels: {a: \"\\/\"}}",
        "metadata: {labels: {a: !!int x}}"
      })
  void yamlThatJsonCantSayIsRefused(String text) {
    assertThatThrownBy(() -> yaml(text)).isInstanceOf(DocumentSyntaxException.class);
  }

  @Test
  void aTagThatIsNotKnownLeavesText() {
    assertThat(yaml("metadata: {labels: {a: !foo 5, b: !!bar yes}}").object().labels())
        .containsEntry("a", "5")
        .containsEntry("b", "yes");
  }

  @Test
  void numbersOfYamlHave64Bits() {
    Read body =
        yaml(
            "spec: {template: {spec: {containers: [{resources: {limits: "
                + "{a: 99999999999999999999, b: 1e0, c: 1e3, d: 9223372036854775808}}}]}}}");
    assertThat(body.object().tree().at("/spec/template/spec/containers/0/resources/limits"))
        .isEqualTo(
            Json.parse("{\"a\":\"100E\",\"b\":\"1\",\"c\":\"1k\",\"d\":\"9223372036854775808\"}"));
  }

  @Test
  void numbersOfJsonStayAsTheyAreWritten() {
    Read body =
        json(
            "{'spec':{'template':{'spec':{'containers':[{'resources':{'limits':"
                + "{'a':1E0,'b':1e400,'c':1.5}}}]}}}}");
    assertThat(body.object().tree().at("/spec/template/spec/containers/0/resources/limits"))
        .isEqualTo(Json.parse("{\"a\":\"1E0\",\"b\":\"10e399\",\"c\":\"1500m\"}"));
  }

  @Test
  void halfASurrogatePairIsReplaced() {
    String half = "\\ud800";
    String both = "\\ud83d\\ude00";
    assertThat(
            json("{'metadata':{'labels':{'a':'x" + half + "','b':'" + both + "'}}}")
                .object()
                .labels())
        .containsEntry("a", "x\uFFFD")
        .containsEntry("b", "\uD83D\uDE00");
  }

  @Test
  void nullStandsWhereTheApiLeavesNothingOut() {
    JsonNode volumes =
        json("{'spec':{'template':{'spec':{'volumes':[{'scaleIO':{}},{'ephemeral':{"
                + "'volumeClaimTemplate':{'spec':{'dataSource':{'apiGroup':''},"
                + "'dataSourceRef':{}}}}}]}}}}")
            .object()
            .tree()
            .at("/spec/template/spec/volumes");
    assertThat(volumes.at("/0/scaleIO/secretRef").isNull()).isTrue();
    JsonNode claim = volumes.at("/1/ephemeral/volumeClaimTemplate/spec");
    assertThat(claim.at("/dataSource/apiGroup").stringValue()).isEmpty();
    assertThat(claim.at("/dataSourceRef/apiGroup").isNull()).isTrue();
  }

  @Test
  void bytesMayBeAListOfNumbers() {
    Read secret = read("{\"data\":{\"a\":[],\"b\":[104,105]}}", false, "v1", "Secret");
    assertThat(secret.faults()).isEmpty();
    assertThat(secret.object().tree().get("data"))
        .isEqualTo(Json.parse("{\"a\":\"\",\"b\":\"aGk=\"}"));
    Read wrong = read("{\"data\":{\"a\":[256],\"b\":[\"x\"]}}", false, "v1", "Secret");
    assertThat(wrong.faults()).hasSize(2);
  }

  /** No two bodies share a node, and no node stands twice in one, so that each may be changed. */
  @Test
  void aBodyBelongsToItsReaderAlone() {
    byte[] text =
        """
        metadata: {labels: &same {a: b}, annotations: *same}
        spec:
          template:
            spec:
              containers:
              - &container {name: a, resources: &resources {limits: {cpu: 1}}, command: []}
              - *container
        """
            .getBytes(StandardCharsets.UTF_8);
    Set<JsonNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 2; i++) {
      containers(Documents.readOne(text, true, "batch/v1", "Job").tree(), seen);
      containers(Documents.readWritten(text, "batch/v1", "Job").tree(), seen);
    }
  }

  private static void containers(JsonNode node, Set<JsonNode> seen) {
    if (node.isContainer()) {
      assertThat(seen.add(node)).as("%s is new", node).isTrue();
      node.forEach(child -> containers(child, seen));
    }
  }

  private record Read(KubeObject object, List<FieldError> faults) {}

  private static Read json(String text) {
    return read(text.replace('\'', '"'), false, "batch/v1", "Job");
  }

  private static Read yaml(String text) {
    return read(text, true, "batch/v1", "Job");
  }

  private static Read read(String text, boolean yaml, String apiVersion, String kind) {
    Documents.Decoded decoded =
        Documents.readOne(text.getBytes(StandardCharsets.UTF_8), yaml, apiVersion, kind);
    return new Read(KubeObject.of(decoded.tree()), decoded.faults());
  }
}
