package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.patch.FieldManager;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class PodAccountTest {
  private static final ApiServer.Options WITHOUT =
      ApiServer.Options.defaults().withNamespacesThatExist();
  private static final String TOKEN =
      "'spec': {'volumes': [{'name': 't', 'projected': {'sources': [{'serviceAccountToken':"
          + " {'path': 'token'}}]}}],";

  private final World world = new World(WITHOUT.withServiceAccounts());

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '^',
      value = {
        "'hostname': 'h', default",
        "'serviceAccountName': '', default",
        "'serviceAccountName': 'me', me",
        "'serviceAccount': 'me', me",
      })
  void aPodThatNamesNoAccountGetsTheDefault(String member, String account) {
    String pod = World.podJson("p", "").replace("'spec': {", "'spec': {" + member + ",");
    KubeObject created = world.create(pod);
    assertThat(account(created, "serviceAccountName")).isEqualTo(account);
    assertThat(account(created, "serviceAccount")).isEqualTo(account);
    assertThat(created.tree().at("/spec/volumes").isMissingNode()).isTrue();
  }

  @Test
  void aMirrorPodHasNone() {
    String mirror = ", 'annotations': {'kubernetes.io/config.mirror': 'x'}";
    String pod = World.podJson("p", mirror).replace("'spec': {", "'spec': {'nodeName': 'n',");
    KubeObject created = world.create(pod);
    assertThat(account(created, "serviceAccountName")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '^',
      value = {"'hostname': 'h', false", "'serviceAccountName': 'me', true"})
  void whoNamesAnAccountOwnsIt(String member, boolean owned) {
    String pod = World.podJson("p", "").replace("'spec': {", "'spec': {" + member + ",");
    FieldManager manager = new FieldManager("m", FieldManager.Operation.UPDATE, "", "v1");
    Registry registry = ((ApiServer) world.api).registry();
    KubeObject created =
        world.answer(registry.create(World.document(pod), WriteOptions.PLAIN.by(manager)));
    JsonNode fields = created.tree().at("/metadata/managedFields/0/fieldsV1/f:spec");
    assertThat(fields.has("f:containers")).isTrue();
    assertThat(fields.has("f:serviceAccountName")).isEqualTo(owned);
    assertThat(fields.has("f:serviceAccount")).isEqualTo(owned);
  }

  @Test
  void aPodWithATokenNeedNotNameItsAccount() {
    String pod = World.podJson("p", "").replace("'spec': {", TOKEN);
    assertThat(account(world.create(pod), "serviceAccountName")).isEqualTo("default");
    World without = new World(WITHOUT);
    assertThat(without.refusal(without.api.create(World.document(pod))).getMessage())
        .contains("serviceAccountName");
  }

  private static @Nullable String account(KubeObject pod, String member) {
    return Json.text(pod.spec(), member);
  }
}
