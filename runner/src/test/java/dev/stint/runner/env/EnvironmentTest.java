package dev.stint.runner.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.runner.token.PodTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class EnvironmentTest {
  private static final ResourceAmount MACHINE = new ResourceAmount(2500, 1L << 30);
  private static final PodInputs INPUTS =
      new PodInputs(
          Map.of("c", KubeObject.of(Json.parse("{\"data\": {\"colour\": \"blue\"}}"))),
          Map.of("s", KubeObject.of(Json.parse("{\"data\": {\"word\": \"aHVzaA==\"}}"))));

  private VolumeFiles files = VolumeFiles.NONE;
  private final ObjectNode pod =
      Json.parse(
          """
          {"metadata": {"name": "pi-0-x", "namespace": "ns", "uid": "u", "labels": {"a/b": "label"},
              "annotations": {"c": "annotation"}},
            "spec": {"hostname": "pi-0", "nodeName": "here", "serviceAccountName": "robot"}}
          """);

  @Test
  void laterVariablesSeeEarlierOnesAndNoOthers() throws Exception {
    ObjectNode container =
        Json.parse(
            """
            {"env": [{"name": "A", "value": "$(B)-$(HOME)"}, {"name": "B", "value": "2"},
              {"name": "C", "value": "$(A)+$(B)"}, {"name": "EMPTY"}]}
            """);
    assertThat(declared(container))
        .containsExactly(
            Map.entry("A", "$(B)-$(HOME)"),
            Map.entry("B", "2"),
            Map.entry("C", "$(B)-$(HOME)+2"),
            Map.entry("EMPTY", ""));
  }

  @Test
  void valuesReferToTheAddressOfTheApiServerUnlessThePodDeclaresItself() throws Exception {
    ObjectNode container =
        Json.parse(
            """
            {"env": [{"name": "URL", "value": "https://$(KUBERNETES_SERVICE_HOST)"},
              {"name": "KUBERNETES_SERVICE_HOST", "value": "mine"},
              {"name": "OWN", "value": "$(KUBERNETES_SERVICE_HOST)"}]}
            """);
    PodTokens tokens =
        new PodTokens(Map.of(), Map.of(), Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.5"));
    PodInputs inputs = new PodInputs(Map.of(), Map.of(), null, tokens);
    assertThat(Environment.declared(KubeObject.of(pod), container, inputs, MACHINE, files).values())
        .containsExactly(
            Map.entry("URL", "https://10.0.0.5"),
            Map.entry("KUBERNETES_SERVICE_HOST", "mine"),
            Map.entry("OWN", "mine"));
  }

  @Test
  void fieldsOfThePodBecomeValues() {
    assertThat(field("metadata.name")).isEqualTo("pi-0-x");
    assertThat(field("metadata.namespace")).isEqualTo("ns");
    assertThat(field("metadata.uid")).isEqualTo("u");
    assertThat(field("metadata.labels['a/b']")).isEqualTo("label");
    assertThat(field("metadata.annotations['c']")).isEqualTo("annotation");
    assertThat(field("metadata.annotations['none']")).isEmpty();
    assertThat(field("spec.nodeName")).isEqualTo("here");
    assertThat(field("spec.serviceAccountName")).isEqualTo("robot");
    assertThat(field("status.podIP")).isEqualTo("127.0.0.1");
    assertThat(field("status.hostIP")).isEqualTo("127.0.0.1");
  }

  @Test
  void declaredVariablesReplaceTheStandardOnes() {
    Map<String, String> own =
        Environment.own(
            Map.of("A", "declared", "PWD", "/mine", "STINT_POD_UID", "mine"),
            KubeObject.of(pod),
            "/work");
    assertThat(own)
        .containsEntry("A", "declared")
        .containsEntry("HOSTNAME", "pi-0")
        .containsEntry("PWD", "/mine")
        .containsEntry("STINT_POD_UID", "u");
  }

  @Test
  void aPodWithoutAHostnameIsCalledByItsNameCutToWhatAHostMayHave() {
    ObjectNode named = Json.object();
    named.putObject("metadata").put("name", "a".repeat(62) + ".bcd");
    assertThat(HostName.of(KubeObject.of(named))).isEqualTo("a".repeat(62));
  }

  @Test
  void keysOfConfigMapsAndSecretsBecomeValues() throws Exception {
    ObjectNode container =
        Json.parse(
            """
            {"env": [
              {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "colour"}}},
              {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s", "key": "word"}}},
              {"name": "C", "value": "$(A) $(B)"},
              {"name": "D", "valueFrom":
                {"secretKeyRef": {"name": "none", "key": "k", "optional": true}}},
              {"name": "E", "valueFrom":
                {"configMapKeyRef": {"name": "c", "key": "none", "optional": true}}}]}
            """);
    assertThat(declared(container))
        .containsExactly(
            Map.entry("A", "blue"), Map.entry("B", "hush"), Map.entry("C", "blue hush"));
  }

  @Test
  void envFromAddsAPrefixAndVariablesReplaceItsKeys() throws Exception {
    ObjectNode container =
        Json.parse(
            """
            {"envFrom": [{"prefix": "P_", "configMapRef": {"name": "c"}},
                {"secretRef": {"name": "s"}},
                {"configMapRef": {"name": "none", "optional": true}}],
              "env": [{"name": "word", "value": "mine"}, {"name": "X", "value": "$(P_colour)"}]}
            """);
    assertThat(declared(container))
        .containsExactly(
            Map.entry("P_colour", "blue"),
            Map.entry("word", "mine"),
            Map.entry("X", "$(P_colour)"));
  }

  @Test
  void aMissingRequiredInputIsNamedAsAKubeletDoes() {
    assertThat(
            missing(
                "{'env': [{'name': 'A', 'valueFrom': {'configMapKeyRef': {'name': 'x', 'key': 'k'}}}]}"))
        .isEqualTo("configmap \"x\" not found");
    assertThat(missing("{'envFrom': [{'secretRef': {'name': 'x'}}]}"))
        .isEqualTo("secret \"x\" not found");
    assertThat(
            missing(
                "{'env': [{'name': 'A', 'valueFrom': {'secretKeyRef': {'name': 's', 'key': 'k'}}}]}"))
        .isEqualTo("couldn't find key k in Secret ns/s");
  }

  @Test
  void amountsAreInUnitsOfTheirDivisorAndAMissingLimitIsTheMachines() {
    ObjectNode container =
        Json.parse(
            """
            {"name": "a", "resources": {"requests": {"cpu": "250m", "memory": "1500k"},
              "limits": {"memory": "2Mi"}}}
            """);
    assertThat(amount(container, "requests.cpu", "")).isEqualTo("1");
    assertThat(amount(container, "requests.cpu", "1m")).isEqualTo("250");
    assertThat(amount(container, "requests.memory", "1Mi")).isEqualTo("2");
    assertThat(amount(container, "limits.memory", "")).isEqualTo("2097152");
    assertThat(amount(container, "limits.cpu", "")).isEqualTo("3");
    assertThat(amount(container, "limits.cpu", "1m")).isEqualTo("2500");
    assertThat(amount(Json.object(), "requests.memory", "")).isEqualTo("0");
  }

  @Test
  void variablesThatDoubleEachOtherAreLimited() {
    ObjectNode container = Json.object();
    ArrayNode env = container.putArray("env");
    env.addObject().put("name", "A0").put("value", "0123456789");
    for (int i = 1; i <= 40; i++) {
      String before = "$(A" + (i - 1) + ")";
      env.addObject().put("name", "A" + i).put("value", before + before);
    }
    assertThatThrownBy(() -> declared(container))
        .isInstanceOf(ExpansionLimitException.class)
        .hasMessageContaining("exceed the limit of 2 MiB");
  }

  @Test
  void sourcesCountTowardsTheLimit() {
    PodInputs large =
        new PodInputs(
            Map.of(
                "c",
                KubeObject.of(
                    Json.parse("{\"data\": {\"k\": \"%s\"}}".formatted("x".repeat(900_000))))),
            Map.of());
    ObjectNode container = Json.object();
    ArrayNode sources = container.putArray("envFrom");
    for (int i = 0; i < 3; i++) {
      sources.addObject().put("prefix", "P" + i).putObject("configMapRef").put("name", "c");
    }
    assertThatThrownBy(() ->
            Environment.declared(KubeObject.of(pod), container, large, MACHINE, VolumeFiles.NONE))
        .isInstanceOf(ExpansionLimitException.class);
  }

  @Test
  void aVariableComesFromAFileInAVolume() throws Exception {
    files =
        (pod, volume, path) ->
            (pod + volume + path).equals("ushareda.env")
                ? Optional.of("# made\n  TOKEN = 'a $(B) \\n\nb'  \nOTHER=''\n")
                : Optional.empty();
    assertThat(declared(fileKey("TOKEN", "a.env", false)))
        .containsExactly(Map.entry("X", "a $(B) \\n\nb"));
    assertThat(declared(fileKey("OTHER", "a.env", false))).containsExactly(Map.entry("X", ""));
    assertThat(declared(fileKey("NONE", "a.env", true))).isEmpty();
    assertThat(declared(fileKey("TOKEN", "b.env", true))).isEmpty();
    assertThatThrownBy(() -> declared(fileKey("NONE", "a.env", false)))
        .isInstanceOf(EnvFileException.class)
        .hasMessage("file \"a.env\" of volume \"shared\" has no variable \"NONE\"");
  }

  /** Otherwise a file would be read and parsed thousands of times for a container of many names. */
  @Test
  void aFileOfVariablesIsReadOnce() throws Exception {
    List<String> read = new ArrayList<>();
    files =
        (_, _, path) -> {
          read.add(path);
          return Optional.of("A='1'\nB='2'\nA='3'");
        };
    ObjectNode container = fileKey("A", "a.env", false);
    addFileKey(container, "Y", "B", "a.env", false);
    addFileKey(container, "Z", "B", "b.env", false);
    addFileKey(container, "NONE", "C", "b.env", true);
    assertThat(declared(container)).isEqualTo(Map.of("X", "3", "Y", "2", "Z", "2"));
    assertThat(read).containsExactly("a.env", "b.env");
  }

  @Test
  void filesOfVariablesAreLimitedTogether() throws Exception {
    String first = "A='1'\n";
    String rest = "A='2'\n" + "#".repeat(EnvFiles.MOST_CHARACTERS - 2 * first.length());
    ObjectNode container = fileKey("A", "first", false);
    addFileKey(container, "Y", "A", "rest", false);
    files = (_, _, path) -> Optional.of(path.equals("first") ? first : rest);
    assertThat(declared(container)).isEqualTo(Map.of("X", "1", "Y", "2"));
    files = (_, _, path) -> Optional.of(path.equals("first") ? first : rest + "#");
    assertThatThrownBy(() -> declared(container))
        .isInstanceOf(EnvFileException.class)
        .hasMessage(
            "file \"rest\" of volume \"shared\": the files of the container's variables are larger"
                + " than 16 MiB");
  }

  /** Otherwise each probe of a container that deletes such a file would fail. */
  @Test
  void aFileThatIsGoneWhileTheContainerRunsGivesNoVariable() throws Exception {
    ObjectNode container = fileKey("A", "a.env", false);
    assertThat(declaredWhileRunning(container)).isEmpty();
    files = (_, _, _) -> Optional.of("A=");
    assertThat(declaredWhileRunning(container)).isEmpty();
    files = (_, _, _) -> Optional.of("A='1'");
    assertThat(declaredWhileRunning(container)).containsExactly(Map.entry("X", "1"));
  }

  @Test
  void aFileOfVariablesThatIsMalformedIsNamedWithItsLine() {
    Map.of(
            "A='1'\nB=2",
            "line 2: a value is not in single quotes",
            "A='1'\n\nB",
            "line 3: a line is not NAME='value'",
            "A='1' x",
            "line 1: a value is followed by more than the end of its line",
            "A='1",
            "line 1: a value is not in single quotes",
            "='1'",
            "line 1: a line is not NAME='value'")
        .forEach((text, fault) -> {
          files = (_, _, _) -> Optional.of(text);
          assertThatThrownBy(() -> declared(fileKey("A", "a.env", true)))
              .isInstanceOf(EnvFileException.class)
              .hasMessageEndingWith(fault);
        });
  }

  private static ObjectNode fileKey(String key, String path, boolean optional) {
    ObjectNode container = Json.object();
    container.putArray("env");
    addFileKey(container, "X", key, path, optional);
    return container;
  }

  private static void addFileKey(
      ObjectNode container, String name, String key, String path, boolean optional) {
    ObjectNode variable = container.withArray("env").addObject().put("name", name);
    ObjectNode ref = variable.putObject("valueFrom").putObject("fileKeyRef");
    ref.put("volumeName", "shared").put("path", path).put("key", key).put("optional", optional);
  }

  private String amount(ObjectNode container, String resource, String divisor) {
    ObjectNode ref = Json.object().put("resource", resource).put("divisor", divisor);
    return ResourceRef.value(KubeObject.of(pod), container, ref, MACHINE);
  }

  private String missing(String container) {
    ObjectNode parsed = Json.parse(container.replace('\'', '"'));
    return String.valueOf(
        org.assertj.core.api.Assertions.catchThrowableOfType(
                MissingInputException.class, () -> declared(parsed))
            .getMessage());
  }

  private Map<String, String> declared(ObjectNode container) throws EnvironmentException {
    return Environment.declared(KubeObject.of(pod), container, INPUTS, MACHINE, files).values();
  }

  private Map<String, String> declaredWhileRunning(ObjectNode container)
      throws EnvironmentException {
    return Environment.declaredWhileRunning(KubeObject.of(pod), container, INPUTS, MACHINE, files)
        .values();
  }

  private String field(String path) {
    return FieldRef.value(KubeObject.of(pod), Json.object().put("fieldPath", path));
  }
}
