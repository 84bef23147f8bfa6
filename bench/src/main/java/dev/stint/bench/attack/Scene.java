package dev.stint.bench.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * The attacker's place: a namespace, a service account with the role {@code edit} in it, nothing
 * else.
 */
final class Scene implements AutoCloseable {
  static final String NAMESPACE = "attacker";
  static final String CORE = "/api/v1/namespaces/" + NAMESPACE + "/";
  static final String BATCH = "/apis/batch/v1/namespaces/" + NAMESPACE + "/";

  private final AttackedServer target;
  private final ApiClient admin;
  private final String token;
  private final ApiClient attacker;
  private final List<AutoCloseable> held = new CopyOnWriteArrayList<>();

  private Scene(AttackedServer target, ApiClient admin, String token) throws Exception {
    this.target = target;
    this.admin = admin;
    this.token = token;
    this.attacker = target.client(RawConnection.ATTACKER, token);
  }

  /** Creates the namespace, the account and its token. */
  static Scene of(AttackedServer target) throws Exception {
    ApiClient admin = target.client(RawConnection.BYSTANDER, target.adminToken());
    admin.must(
        "POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(NAMESPACE));
    admin.must("POST", CORE + "serviceaccounts", "{\"metadata\":{\"name\":\"edit\"}}");
    admin.must(
        "POST",
        "/apis/rbac.authorization.k8s.io/v1/namespaces/" + NAMESPACE + "/rolebindings",
        """
        {"metadata": {"name": "edit"}, "subjects": [{"kind": "ServiceAccount", "name": "edit", "namespace": "attacker"}],
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "edit"}}
        """);
    String token =
        admin
            .must(
                "POST",
                CORE + "serviceaccounts/edit/token",
                "{\"spec\":{\"expirationSeconds\":7200}}")
            .at("/status/token")
            .asString("");
    return new Scene(target, admin, token);
  }

  AttackedServer target() {
    return target;
  }

  ApiClient attacker() {
    return attacker;
  }

  ApiClient admin() {
    return admin;
  }

  String token() {
    return token;
  }

  /** Keeps something open until the attack is over. */
  <T extends AutoCloseable> T hold(T open) {
    held.add(open);
    return open;
  }

  /** Sends requests at once as the attacker, and counts their answers. */
  Answers sendAll(
      int count, java.util.function.IntFunction<CompletableFuture<ApiClient.Answer>> request) {
    Answers answers = new Answers();
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(request.apply(i).thenAccept(answer -> answers.add(said(answer))));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .completeOnTimeout(null, 120, TimeUnit.SECONDS)
        .join();
    return answers;
  }

  static String said(ApiClient.Answer answer) {
    return answer.code() == 0 ? "no answer" : Integer.toString(answer.code());
  }

  /** Starts a pod that runs until the end, and waits until it runs. */
  void startPod(String name) throws InterruptedException {
    attacker.must("POST", CORE + "pods", sleeper(name));
    for (int i = 0; i < 300 && !phase(name).equals("Running"); i++) {
      Thread.sleep(100);
    }
  }

  private String phase(String pod) {
    return attacker.must("GET", CORE + "pods/" + pod, "").at("/status/phase").asString("");
  }

  static String sleeper(String name) {
    return """
    {"metadata": {"name": "%s"}, "spec": {"restartPolicy": "Never", "containers": [
     {"name": "main", "image": "none", "command": ["sh", "-c", "while :; do echo line; sleep 1; done"]}]}}
    """
        .formatted(name);
  }

  @Override
  public void close() {
    for (AutoCloseable each : held) {
      try {
        each.close();
      } catch (Exception gone) {
        // It is closed.
      }
    }
    attacker.close();
    admin.close();
  }
}
