package dev.stint.runner.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.TokenVolume;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.runner.token.IssuedToken;
import dev.stint.runner.token.PodTokens;
import dev.stint.runner.token.TokenSource;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class VolumeContentsTest {
  private static final ResourceAmount MACHINE = new ResourceAmount(4000, 8L << 30);
  private static final KubeObject POD =
      KubeObject.of(
          Json.parse(
              """
              {"metadata": {"name": "p", "namespace": "n", "uid": "u",
                "labels": {"b": "2", "a": "say \\"1\\""}, "annotations": {"x/y": "kept"}},
               "spec": {"containers": [{"name": "c", "resources":
                 {"limits": {"cpu": "1500m"}, "requests": {"memory": "64Mi"}}}]}}
              """));
  private static final PodInputs INPUTS =
      new PodInputs(
          Map.of(
              "cm",
              object(
                  """
                  {"data": {"a": "one", "b": "two"}, "binaryData": {"c": "AAH/"}}
                  """)),
          Map.of("s", object("{\"data\": {\"token\": \"c2VjcmV0\"}}")));

  @Test
  void aConfigMapHasAFilePerKey() throws Exception {
    assertThat(texts("{\"configMap\": {\"name\": \"cm\", \"defaultMode\": 416}}"))
        .containsEntry("a 640", "one")
        .containsEntry("b 640", "two")
        .hasSize(3);
    VolumeContent.Files files =
        (VolumeContent.Files) content("{\"configMap\": {\"name\": \"cm\"}}");
    assertThat(files.files())
        .filteredOn(file -> file.path().equals("c"))
        .singleElement()
        .satisfies(file -> assertThat(file.content()).containsExactly(0, 1, 255));
  }

  @Test
  void itemsPickKeysAndGiveThemPathsAndModes() throws Exception {
    assertThat(
            texts(
                """
                {"name": "v", "secret": {"secretName": "s", "items":
                  [{"key": "token", "path": "in/here", "mode": 256}]}}
                """))
        .containsExactly(Map.entry("in/here 400", "secret"));
  }

  @Test
  void aTokenIsAFileWithTheModeOfItsVolume() throws Exception {
    String volume =
        """
        {"name": "v", "projected": {"defaultMode": 256, "sources": [
          {"configMap": {"name": "cm", "items": [{"key": "a", "path": "a"}]}},
          {"serviceAccountToken": {"path": "in/token", "audience": "x", "expirationSeconds": 600}}]}}
        """;
    TokenSource source = new TokenSource("v", "in/token", "x", 600);
    PodTokens tokens =
        new PodTokens(Map.of(source, new IssuedToken("secret", Instant.EPOCH)), Map.of(), Map.of());
    PodInputs inputs = new PodInputs(INPUTS.configMaps(), Map.of(), null, tokens);
    ObjectNode tree = Json.parse(volume);
    VolumeContent.Files files = (VolumeContent.Files) VolumeContents.of(POD, tree, inputs, MACHINE);
    VolumeFile token = new VolumeFile("in/token", 0400, "secret", false);
    assertThat(files.files()).hasSize(2).contains(token);
    assertThat(VolumeContents.credentials(POD, tree, inputs)).containsExactly(token);
    assertThatThrownBy(() -> content(volume))
        .isInstanceOf(VolumeFault.class)
        .hasMessageContaining("failed to fetch token");
    assertThat(new IssuedToken("secret", Instant.EPOCH).toString()).doesNotContain("secret");
  }

  /** A pod that outlives its API's authority cannot check who answers it by the old one. */
  @Test
  void theCertificateOfTheAuthorityIsRenewedWithTheTokens() throws Exception {
    ObjectNode spec = Json.object();
    spec.putArray("containers").addObject();
    TokenVolume.add(spec);
    ObjectNode volume = (ObjectNode) spec.at("/volumes/0");
    PodTokens tokens =
        new PodTokens(
            Map.of(TokenSource.of(spec).getFirst(), new IssuedToken("secret", Instant.EPOCH)),
            Map.of(),
            Map.of());
    KubeObject map = KubeObject.of(Json.parse("{\"data\": {\"ca.crt\": \"new\"}}"));
    PodInputs inputs = new PodInputs(Map.of("kube-root-ca.crt", map), Map.of(), null, tokens);
    assertThat(VolumeContents.credentials(POD, volume, inputs))
        .containsExactly(
            new VolumeFile("token", 0644, "secret", false),
            new VolumeFile("ca.crt", 0644, "new", false));
  }

  @Test
  void aMissingSourceIsAFaultUnlessOptional() throws Exception {
    assertThatThrownBy(() -> content("{\"configMap\": {\"name\": \"no\"}}"))
        .isInstanceOf(VolumeFault.class)
        .hasMessage("config map \"no\" not found");
    String missingKey =
        "{\"name\": \"v\", \"secret\": {\"secretName\": \"s\", \"items\": [{\"key\": \"k\", \"path\": \"k\"}]}}";
    assertThatThrownBy(() -> content(missingKey)).hasMessage("secret \"s\" has no key \"k\"");
    assertThat(texts("{\"configMap\": {\"name\": \"no\", \"optional\": true}}")).isEmpty();
    assertThat(texts(missingKey.replace("\"items\"", "\"optional\": true, \"items\""))).isEmpty();
  }

  @Test
  void theDownwardApiHoldsFieldsOfThePod() throws Exception {
    assertThat(
            texts(
                """
                {"downwardAPI": {"items": [
                  {"path": "labels", "fieldRef": {"fieldPath": "metadata.labels"}},
                  {"path": "one", "fieldRef": {"fieldPath": "metadata.annotations['x/y']"}},
                  {"path": "cpu", "resourceFieldRef":
                    {"containerName": "c", "resource": "limits.cpu"}},
                  {"path": "milli", "resourceFieldRef":
                    {"containerName": "c", "resource": "limits.cpu", "divisor": "1m"}},
                  {"path": "memory", "resourceFieldRef":
                    {"containerName": "c", "resource": "limits.memory", "divisor": "1Gi"}},
                  {"path": "asked", "resourceFieldRef":
                    {"containerName": "c", "resource": "requests.memory", "divisor": "1Mi"}}]}}
                """))
        .containsExactly(
            Map.entry("labels 644", "a=\"say \\\"1\\\"\"\nb=\"2\""),
            Map.entry("one 644", "kept"),
            Map.entry("cpu 644", "2"),
            Map.entry("milli 644", "1500"),
            Map.entry("memory 644", "8"),
            Map.entry("asked 644", "64"));
  }

  @Test
  void aProjectedVolumeHoldsTheFilesOfItsSources() throws Exception {
    assertThat(
            texts(
                """
                {"name": "v", "projected": {"defaultMode": 288, "sources": [
                  {"configMap": {"name": "cm", "items": [{"key": "a", "path": "a"}]}},
                  {"secret": {"name": "s"}},
                  {"downwardAPI": {"items":
                    [{"path": "name", "fieldRef": {"fieldPath": "metadata.name"}}]}}]}}
                """))
        .containsExactly(
            Map.entry("a 440", "one"),
            Map.entry("token 440", "secret"),
            Map.entry("name 440", "p"));
  }

  @Test
  void theOthersAreDirectories() throws Exception {
    assertThat(content("{\"emptyDir\": {\"medium\": \"Memory\", \"sizeLimit\": \"1Mi\"}}"))
        .isEqualTo(new VolumeContent.Scratch(true, 1L << 20));
    assertThat(content("{\"emptyDir\": {}}")).isEqualTo(new VolumeContent.Scratch(false, null));
  }

  @Test
  void theFilesOfAPodAreLimited() throws Exception {
    String large = "x".repeat(1 << 20);
    PodInputs inputs =
        new PodInputs(
            Map.of("cm", object("{\"data\": {\"k\": \"" + large + "\", \"e\": \"\"}}")), Map.of());
    VolumeContents.check(pod(32, "k"), inputs, MACHINE);
    assertThatThrownBy(() -> VolumeContents.check(pod(33, "k"), inputs, MACHINE))
        .isInstanceOf(VolumeFault.class)
        .hasMessage("the files of the pod's volumes exceed the limit of 64 MiB or 10000 files");
    VolumeContents.check(pod(5000, "e"), inputs, MACHINE);
    assertThatThrownBy(() -> VolumeContents.check(pod(5001, "e"), inputs, MACHINE))
        .isInstanceOf(VolumeFault.class);
  }

  /** Returns a pod with two volumes of this many items each. */
  private static KubeObject pod(int items, String key) {
    ObjectNode pod = Json.object();
    ArrayNode volumes = pod.putObject("spec").putArray("volumes");
    for (String name : new String[] {"v", "w"}) {
      ObjectNode source =
          volumes.addObject().put("name", name).putObject("configMap").put("name", "cm");
      ArrayNode list = source.putArray("items");
      for (int i = 0; i < items; i++) {
        list.addObject().put("key", key).put("path", "p" + i);
      }
    }
    return KubeObject.of(pod);
  }

  private static VolumeContent content(String volume) throws VolumeFault {
    return VolumeContents.of(POD, Json.parse(volume), INPUTS, MACHINE);
  }

  /** Returns the files as "PATH MODE" to text. */
  private static Map<String, String> texts(String volume) throws VolumeFault {
    Map<String, String> texts = new LinkedHashMap<>();
    for (VolumeFile file : ((VolumeContent.Files) content(volume)).files()) {
      texts.put(
          file.path() + " " + Integer.toOctalString(file.mode()),
          new String(file.content(), StandardCharsets.UTF_8));
    }
    return texts;
  }

  private static KubeObject object(String json) {
    return KubeObject.of(Json.parse(json));
  }
}
