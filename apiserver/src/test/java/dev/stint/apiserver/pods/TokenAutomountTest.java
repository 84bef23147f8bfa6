package dev.stint.apiserver.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class TokenAutomountTest {
  private static final Function<ObjectRef, @Nullable ObjectNode> NO_ACCOUNTS = _ -> null;

  private static KubeObject pod(String spec) {
    ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", "a").put("namespace", "team");
    pod.set("spec", Json.parse(spec.replace('\'', '"')));
    return KubeObject.of(pod);
  }

  private static Function<ObjectRef, @Nullable ObjectNode> account(String content) {
    return ref -> {
      assertThat(ref.namespace()).isEqualTo("team");
      return Json.parse(content.replace('\'', '"'));
    };
  }

  private static final String PLAIN = "{'containers':[{'name':'main'},{'name':'other'}]}";

  @Test
  void aProcessGetsATokenOnlyIfItOrItsAccountAsksForOne() {
    KubeObject plain = pod(PLAIN);
    assertThat(TokenAutomount.ON_REQUEST.admit(plain, account("{}"))).isSameAs(plain);
    assertThat(TokenAutomount.ON_REQUEST.admit(plain, NO_ACCOUNTS)).isSameAs(plain);
    assertThat(TokenAutomount.NEVER.admit(plain, account("{'automountServiceAccountToken':true}")))
        .isSameAs(plain);
    KubeObject asked =
        TokenAutomount.ON_REQUEST.admit(plain, account("{'automountServiceAccountToken':true}"));
    assertThat(asked.tree().at("/spec/serviceAccountName").stringValue()).isEqualTo("default");
    assertThat(asked.tree().at("/spec/containers/1/volumeMounts/0/mountPath").stringValue())
        .isEqualTo("/var/run/secrets/kubernetes.io/serviceaccount");
    assertThat(asked.tree().at("/spec/containers/1/volumeMounts/0/readOnly").booleanValue())
        .isTrue();
    KubeObject own =
        TokenAutomount.ON_REQUEST.admit(
            pod(
                "{'automountServiceAccountToken':true,'serviceAccountName':'robot','containers':[{}]}"),
            NO_ACCOUNTS);
    assertThat(own.tree().at("/spec/volumes/0/projected/sources").size()).isEqualTo(3);
    assertThat(own.tree().at("/spec/serviceAccountName").stringValue()).isEqualTo("robot");
  }

  @Test
  void aPodMayRefuseATokenThatItsAccountAsksFor() {
    KubeObject refusing = pod("{'automountServiceAccountToken':false,'containers':[{}]}");
    assertThat(
            TokenAutomount.BY_DEFAULT
                .admit(refusing, account("{'automountServiceAccountToken':true}"))
                .tree()
                .at("/spec")
                .has("volumes"))
        .isFalse();
    assertThat(
            TokenAutomount.BY_DEFAULT
                .admit(pod(PLAIN), account("{'automountServiceAccountToken':false}"))
                .tree()
                .at("/spec")
                .has("volumes"))
        .isFalse();
  }

  @Test
  void aContainerGetsATokenByDefaultAndItsAccountMustExist() {
    KubeObject pod = TokenAutomount.BY_DEFAULT.admit(pod(PLAIN), account("{}"));
    assertThat(pod.tree().at("/spec/volumes/0/projected/sources/0/serviceAccountToken"))
        .hasToString("{\"expirationSeconds\":3607,\"path\":\"token\"}");
    assertThatThrownBy(() -> TokenAutomount.BY_DEFAULT.admit(pod(PLAIN), NO_ACCOUNTS))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(
            "error looking up service account team/default: serviceaccount \"default\" not found");
  }

  @Test
  void aPodThatNamesNoPullSecretsGetsThoseOfItsAccount() throws Exception {
    Function<ObjectRef, @Nullable ObjectNode> accounts =
        account("{'imagePullSecrets':[{'name':'registry'}]}");
    for (TokenAutomount where : List.of(TokenAutomount.ON_REQUEST, TokenAutomount.BY_DEFAULT)) {
      for (String more :
          List.of("", "'imagePullSecrets':[],", "'automountServiceAccountToken':false,")) {
        KubeObject pod = where.admit(pod("{" + more + "'containers':[{'name':'main'}]}"), accounts);
        assertThat(pod.tree().at("/spec/imagePullSecrets"))
            .hasToString("[{\"name\":\"registry\"}]");
      }
      KubeObject own =
          where.admit(pod("{'imagePullSecrets':[{'name':'own'}],'containers':[{}]}"), accounts);
      assertThat(own.tree().at("/spec/imagePullSecrets")).hasToString("[{\"name\":\"own\"}]");
    }
    KubeObject plain = pod(PLAIN);
    assertThat(TokenAutomount.NEVER.admit(plain, accounts)).isSameAs(plain);
  }

  @Test
  void aMountOfThePodsOwnStaysAndNamesDoNotCollide() {
    KubeObject pod =
        TokenAutomount.BY_DEFAULT.admit(
            pod(
                "{'volumes':[{'name':'kube-api-access','emptyDir':{}}],'containers':[{'name':'own','volumeMounts':"
                    + "[{'name':'kube-api-access','mountPath':'/var/run/secrets/kubernetes.io/serviceaccount'}]},{'name':'b'}]}"),
            account("{}"));
    assertThat(pod.tree().at("/spec/containers/0/volumeMounts").size()).isEqualTo(1);
    assertThat(pod.tree().at("/spec/containers/1/volumeMounts/0/name").stringValue())
        .isEqualTo("kube-api-access-1");
  }

  @Test
  void aTokenOfThePodsOwnIsOfTheDefaultAccountIfItNamesNone() {
    KubeObject pod =
        TokenAutomount.ON_REQUEST.admit(
            pod(
                "{'volumes':[{'name':'v','projected':{'sources':[{'serviceAccountToken':{'path':'t'}}]}}],'containers':[{}]}"),
            NO_ACCOUNTS);
    assertThat(pod.tree().at("/spec/serviceAccountName").stringValue()).isEqualTo("default");
    assertThat(pod.tree().at("/spec/volumes").size()).isEqualTo(1);
  }
}
