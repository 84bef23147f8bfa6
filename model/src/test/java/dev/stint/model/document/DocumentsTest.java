package dev.stint.model.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.stint.covers.Covers;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class DocumentsTest {
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: pi
      spec:
        completions: 3
        completionMode: Indexed
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: busybox
      """;

  @Test
  void yamlAndJsonGiveTheSameTree() {
    JsonNode tree = only(JOB).object().tree();
    assertThat(tree.at("/spec/completions").intValue()).isEqualTo(3);
    assertThat(only(Json.pretty(tree)).object().tree()).isEqualTo(tree);
  }

  @Test
  void severalDocumentsAndListsAreFlattenedAndEmptyOnesSkipped() {
    String text =
        "---\n# nothing\n---\n"
            + JOB
            + "---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap}\n"
            + "- {apiVersion: v1, kind: Secret}\n...\n";
    List<Document> documents = read(text);
    assertThat(documents)
        .extracting(document -> document.object().kindName())
        .containsExactly("Job", "ConfigMap", "Secret");
    assertThat(documents).extracting(Document::line).containsExactly(4, 21, 22);
  }

  @Test
  void jsonValuesMayFollowEachOther() {
    assertThat(
            read(
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}\n{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}"))
        .hasSize(2);
  }

  @Test
  void aYamlDocumentMayStartWithABrace() {
    assertThat(only("{apiVersion: v1, kind: ConfigMap, data: {a: b}}").faults()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "# nothing\n", "---\n---\n", "null", "~"})
  void textWithoutDocumentsHasNone(String text) {
    assertThat(read(text)).isEmpty();
  }

  @Test
  void anchorsAndMergeKeysAreWrittenOut() {
    Document document =
        only(
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: c
              labels: &base {a: one, b: two}
              annotations:
                <<: *base
                b: mine
            """);
    assertThat(document.faults()).isEmpty();
    assertThat(document.object().annotations())
        .containsEntry("a", "one")
        .containsEntry("b", "mine");
  }

  @ParameterizedTest
  @CsvSource({
    "yes, true",
    "no, false",
    "on, true",
    "Off, false",
    "TRUE, true",
    "False, false",
    "y, true"
  })
  void plainWordsAreBooleansAsKubectlSeesThem(String word, boolean value) {
    assertThat(spec("suspend: " + word).at("/suspend").booleanValue()).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "10, 10",
    "010, 8",
    "0o10, 8",
    "0x1F, 31",
    "0b11, 3",
    "+7, 7",
    "-5, -5",
    "1_000, 1000",
    "1e3," + " 1000",
    "12., 12"
  })
  void numbersAreReadAsKubectlReadsThem(String written, int value) {
    assertThat(spec("backoffLimit: " + written).at("/backoffLimit").intValue()).isEqualTo(value);
  }

  @Test
  @Covers("SP-15")
  void aNumberInPlaceOfTextIsAFaultThatSuggestsQuotes() {
    Document document = only(JOB + "  successPolicy: {rules: [{succeededIndexes: 0}]}\n");
    assertThat(document.faults())
        .extracting(FieldError::path, fault -> fault.type().cause(), FieldError::detail)
        .containsExactly(
            tuple(
                "spec.successPolicy.rules[0].succeededIndexes",
                "FieldUndecodable",
                "must be text, found the number 0; put it in quotes: \"0\""));
    assertThat(spec("successPolicy: {rules: [{succeededIndexes: \"0\"}]}").isEmpty()).isFalse();
  }

  @Test
  @Covers("SP-10")
  void aCountInPercentIsNoCount() {
    Document document = only(JOB + "  successPolicy: {rules: [{succeededCount: 50%}]}\n");
    assertThat(document.faults())
        .extracting(FieldError::path, fault -> fault.type().cause())
        .containsExactly(tuple("spec.successPolicy.rules[0].succeededCount", "FieldUndecodable"));
  }

  @Test
  void aMisplacedFieldIsPointedToItsPlace() {
    Document document = only(JOB + "  hostNetwork: true\n");
    assertThat(document.faults())
        .extracting(FieldError::toString)
        .containsExactly("spec.hostNetwork: unknown field; it belongs in \"template.spec\"");
  }

  @Test
  void deepNestingIsReportedInOurOwnWords() {
    byte[] deep = "[".repeat(1000).getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> Documents.read("deep.json", deep))
        .isInstanceOf(DocumentSyntaxException.class)
        .hasMessageContaining("nested too deeply")
        .hasMessageNotContaining("Stream");
  }

  @Test
  void anIndentationThatDoesNotFitIsPointedOut() {
    byte[] text = "metadata:\n  name: e\n spec:\n  a: b\n".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> Documents.read("job.yaml", text))
        .isInstanceOf(DocumentSyntaxException.class)
        .hasMessageStartingWith("job.yaml:3:")
        .hasMessageContaining("check that the line is indented like its neighbors");
  }

  @Test
  void anOlderNameIsPointedToItsNewOne() {
    Document document =
        only(JOB + "  successPolicy:\n    criteria:\n    - succeededIndexes: \"0\"\n");
    assertThat(document.faults()).hasSize(1);
    assertThat(document.describe(document.faults().getFirst()))
        .isEqualTo(
            "job.yaml:15: spec.successPolicy.criteria: unknown field; it is called \"rules\"");
  }

  @Test
  void allFaultsAreFoundAtOnceWithTheirLines() {
    Document document =
        only(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: pi}
            spec:
              paralelism: 2
              completions: "3"
              backoffLimit: 3000000000
              suspend: "true"
              completions: 4
              template:
                spec:
                  nope: 1
                  containers: x
            """);
    assertThat(document.faults())
        .extracting(document::describe)
        .containsExactly(
            "job.yaml:5: spec.paralelism: unknown field; did you mean \"parallelism\"?",
            "job.yaml:6: spec.completions: must be a whole number from -2147483648 to 2147483647,"
                + " found the text \"3\"; write it without quotes",
            "job.yaml:7: spec.backoffLimit: must be a whole number from -2147483648 to 2147483647,"
                + " found the number 3000000000",
            "job.yaml:8: spec.suspend: must be true or false, found the text \"true\"; write it"
                + " without quotes",
            "job.yaml:6: spec.completions: this field occurs twice, on lines 6 and 9; keep one"
                + " of them",
            "job.yaml:12: spec.template.spec.nope: unknown field",
            "job.yaml:13: spec.template.spec.containers: must be a list, found the text \"x\"");
  }

  @Test
  void aKindThatIsNotKnownIsNamedWithThoseThatAre() {
    Document document = only("apiVersion: apps/v1\nkind: Deployment\n");
    assertThat(document.describe(document.faults().getFirst()))
        .startsWith("job.yaml:2: kind: apps/v1 Deployment is not a supported kind")
        .contains("batch/v1 Job");
  }

  @Test
  void aKindOfAnotherVersionIsNamedWithItsOwn() {
    Document document = only("apiVersion: v1\nkind: Job\n");
    assertThat(document.describe(document.faults().getFirst()))
        .isEqualTo("job.yaml:2: kind: Job is batch/v1, found apiVersion v1");
  }

  @Test
  void apiVersionAndKindAreRequired() {
    assertThat(only("metadata: {name: x}").faults())
        .extracting(FieldError::path)
        .containsExactly("apiVersion", "kind");
    assertThat(only("just text").faults()).extracting(FieldError::path).containsExactly("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'a: b: c' | 'job.yaml:1:5: not YAML: '",
        "'kind: Job\n\tx: y' | 'job.yaml:2:1: not YAML: '",
        "'[1, 2' | 'job.yaml:1:'",
        "'{\"a\": [}' | 'job.yaml:1:8: not JSON: '",
        "'{\"a\": 1e9999999' | 'job.yaml:1:'",
        "'a: *nope' | 'job.yaml:1:4: no anchor &nope before this alias'",
        "'a: !!int x' | 'job.yaml:1:4: tag tag:yaml.org,2002:int does not fit \"x\"'",
        "'? {a: b}\n: c' | 'job.yaml:1:3: a map key must be text'"
      })
  void brokenTextGivesOneLineWithItsPosition(String text, String start) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(DocumentSyntaxException.class)
        .message()
        .startsWith(start)
        .hasLineCount(1);
  }

  @Test
  void deepNestingIsRefusedInYamlAndInJson() {
    assertThatThrownBy(() -> read("a: " + "[".repeat(100_000)))
        .isInstanceOf(DocumentSyntaxException.class)
        .hasMessageContaining("nested too deeply");
    assertThatThrownBy(() -> read("[".repeat(100_000))).isInstanceOf(DocumentSyntaxException.class);
  }

  @Test
  void aliasesThatMultiplyAreRefused() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 30; i++) {
      String alias = "*a" + (i - 1) + ",";
      bomb.append("a%d: &a%d [%s]%n".formatted(i, i, alias.repeat(9) + "*a" + (i - 1)));
    }
    assertThatThrownBy(() -> read(bomb.toString()))
        .isInstanceOf(DocumentSyntaxException.class)
        .hasMessageContaining("too many values");
  }

  @Test
  void filesMayHaveMoreValuesThanBodies() {
    String many = "{\"a\":[" + "0,".repeat(DocumentLimits.BODY_VALUES) + "0]}";
    assertThat(read(many)).hasSize(1);
    String yaml = "b: &b [" + "0,".repeat(999) + "0]\na: [" + "*b,".repeat(1000) + "[]]\n";
    assertThat(read(yaml)).hasSize(1);
  }

  @Test
  void aliasesCountWithTheLevelsThatTheyStandFor() {
    String lists = "a: &a %s1%s\nb: &b {c: *a}\nd: %s*b%s\n";
    int inner = 300;
    int outer = DocumentLimits.DEPTH - inner - 2; // The document and b.
    assertThat(read(lists.formatted(open(inner), close(inner), open(outer), close(outer))))
        .isNotEmpty();
    assertThatThrownBy(() ->
            read(lists.formatted(open(inner), close(inner), open(outer + 1), close(outer + 1))))
        .isInstanceOf(DocumentSyntaxException.class)
        .hasMessageContaining("nested too deeply");
  }

  private static String open(int lists) {
    return "[".repeat(lists);
  }

  private static String close(int lists) {
    return "]".repeat(lists);
  }

  @Test
  void anAliasInsideItsOwnAnchorIsRefused() {
    assertThatThrownBy(() -> read("a: &a [*a]"))
        .isInstanceOf(DocumentSyntaxException.class)
        .hasMessageContaining("no anchor &a");
  }

  @Test
  void emptyValuesAreLeftOutWhereTheyMeanAbsent() {
    JsonNode spec =
        spec(
            """
            managedBy: ""
            podFailurePolicy: {rules: []}
            selector: {}
            template: {spec: {hostNetwork: false, nodeName: "", nodeSelector: {}, volumes: []}}
            """
                .replace("\n", "\n  "));
    assertThat(spec.get("managedBy").stringValue()).isEmpty();
    assertThat(spec.at("/podFailurePolicy/rules").isNull()).isTrue();
    assertThat(spec.get("selector").isEmpty()).isTrue();
    assertThat(spec.at("/template/spec").propertyNames()).containsExactly("containers");
  }

  @Test
  void emptyListsAndMapsStayWhereChecksTellThemFromAbsentOnes() {
    String pod =
        "apiVersion: v1\nkind: Pod\nmetadata: {finalizers: [], labels: {}}\n"
            + "spec: {overhead: {}, tolerations: [], resources: {claims: [], limits: {}}}";
    assertThat(only(pod).object().tree())
        .isEqualTo(
            Json.parse(
                """
                {"apiVersion":"v1","kind":"Pod","metadata":{"finalizers":[]},"status":{},
                 "spec":{"overhead":{},"resources":{"claims":[]},"containers":null}}
                """));
    assertThat(only("apiVersion: v1\nkind: ConfigMap\ndata: null").object().tree().has("data"))
        .isFalse();
  }

  @Test
  void amountsAndTimesAndBytesGetTheirCanonicalForm() {
    Document pod =
        only(
            """
            apiVersion: v1
            kind: Pod
            metadata: {creationTimestamp: "2026-01-31T13:00:00.5+01:00"}
            spec:
              containers:
              - name: a
                resources: {requests: {cpu: 0.5, memory: 1024Mi, x.io/y: "1e3"}}
            """);
    assertThat(pod.faults()).isEmpty();
    assertThat(pod.object().tree().at("/metadata/creationTimestamp").stringValue())
        .isEqualTo("2026-01-31T12:00:00Z");
    assertThat(pod.object().tree().at("/spec/containers/0/resources/requests"))
        .isEqualTo(Json.parse("{\"cpu\":\"500m\",\"memory\":\"1Gi\",\"x.io/y\":\"1e3\"}"));
    assertThat(only("apiVersion: v1\nkind: Secret\ndata: {a: \"no base64\"}").faults())
        .extracting(FieldError::path)
        .containsExactly("data[a]");
  }

  private static JsonNode spec(String member) {
    Document document = only("apiVersion: batch/v1\nkind: Job\nspec:\n  " + member + "\n");
    assertThat(document.faults()).isEmpty();
    return document.object().tree().get("spec");
  }

  private static Document only(String text) {
    List<Document> documents = read(text);
    assertThat(documents).hasSize(1);
    return documents.getFirst();
  }

  private static List<Document> read(String text) {
    return Documents.read("job.yaml", text.getBytes(StandardCharsets.UTF_8));
  }
}
