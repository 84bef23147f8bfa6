package dev.stint.testkit;

import static dev.stint.testkit.JobAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.runner.process.isolation.MachineCapabilities;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that are processes of this machine and call the API with their own tokens. */
@StintTest(pods = StintTest.Pods.PROCESSES)
class TokensOfProcessesTest {
  private static final String READER =
      """
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: robot}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: reader}
      rules: [{apiGroups: [""], resources: [configmaps], verbs: [list]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: robot-reads}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
      subjects: [{kind: ServiceAccount, name: robot}]
      """;

  private static final String CALLER =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: caller}
      spec:
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            serviceAccountName: robot
            automountServiceAccountToken: true
            containers:
            - name: main
              image: none
              command:
              - sh
              - -c
              - |
                cd /var/run/secrets/kubernetes.io/serviceaccount || exit 1
                base=https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/api/v1
                for what in configmaps secrets; do
                  curl -s -o /dev/null -w "$what %{http_code}\\n" --cacert ca.crt \\
                    -H "Authorization: Bearer $(cat token)" $base/namespaces/$(cat namespace)/$what
                done
                cat token
      """;

  private static final String PLAIN =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: plain}
      spec:
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: none
              command: [sh, -c, "echo host=$KUBERNETES_SERVICE_HOST; ls /var/run/secrets/kubernetes.io/serviceaccount 2>/dev/null; true"]
      """;

  private static final String OTHER_AUDIENCE =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: vault}
      spec:
        template:
          spec:
            restartPolicy: Never
            volumes:
            - name: tokens
              projected:
                sources: [{serviceAccountToken: {path: vault/token, audience: vault, expirationSeconds: 600}}]
            containers:
            - name: main
              image: none
              command: [sh, -c, "cat /tokens/vault/token"]
              volumeMounts: [{name: tokens, mountPath: /tokens}]
      """;

  @BeforeEach
  void needsMountsAndCurl() {
    String why = MachineCapabilities.here().whyNoMounts().orElse("");
    assumeTrue(why.isEmpty(), why);
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed");
  }

  @Test
  void aPodGetsWhatItsRolesGiveItsAccountUntilItHasEnded(Jobs jobs, KubernetesClient client) {
    jobs.applyAll(READER);
    assertThat(jobs.apply(CALLER).awaitFinished()).isComplete();
    String log = log(client, "caller");
    assertThat(log).startsWith("configmaps 200\nsecrets 403\n");
    TokenReviewStatus review = review(client, log.lines().toList().getLast(), List.of());
    assertThat(review.getError()).contains("bound to a pod that has ended");
  }

  @Test
  void aPodThatDoesNotAskForATokenHasNone(Jobs jobs, KubernetesClient client) {
    assertThat(jobs.apply(PLAIN).awaitFinished()).isComplete();
    assertThat(log(client, "plain")).isEqualTo("host=\n");
    assertThat(pod(client, "plain").getSpec().getVolumes()).isEmpty();
  }

  @Test
  void aTokenIsForItsAudience(Jobs jobs, KubernetesClient client) {
    assertThat(jobs.apply(OTHER_AUDIENCE).awaitFinished()).isComplete();
    String token = log(client, "vault");
    assertThat(review(client, token, List.of()).getError()).contains("for another audience");
    assertThat(review(client, token, List.of("vault")).getError())
        .contains("bound to a pod that has ended");
  }

  private static TokenReviewStatus review(
      KubernetesClient client, String token, List<String> audiences) {
    return client
        .tokenReviews()
        .create(
            new TokenReviewBuilder()
                .withNewSpec()
                .withToken(token)
                .withAudiences(audiences)
                .endSpec()
                .build())
        .getStatus();
  }

  private static String log(KubernetesClient client, String job) {
    return client.pods().resource(pod(client, job)).getLog();
  }

  private static Pod pod(KubernetesClient client, String job) {
    return client.pods().withLabel("job-name", job).list().getItems().getFirst();
  }
}
