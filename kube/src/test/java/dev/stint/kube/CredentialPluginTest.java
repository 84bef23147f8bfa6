package dev.stint.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.ClusterBuilder;
import io.fabric8.kubernetes.api.model.ExecConfigBuilder;
import io.fabric8.kubernetes.api.model.ExecEnvVarBuilder;
import io.fabric8.kubernetes.api.model.NamedExtensionBuilder;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialPluginTest {
  private static final String API = "client.authentication.k8s.io/v1";

  @TempDir private Path dir;

  private final TestTime time = new TestTime();

  private static String credential(String status) {
    return "{\"apiVersion\":\"%s\",\"kind\":\"ExecCredential\",\"status\":%s}"
        .formatted(API, status);
  }

  private ExecConfigBuilder exec(String script) throws IOException {
    Path file = Files.writeString(dir.resolve("plugin"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return new ExecConfigBuilder().withApiVersion(API).withCommand("./plugin");
  }

  private CredentialPlugin plugin(ExecConfigBuilder exec, @Nullable Cluster cluster) {
    return new CredentialPlugin(dir.resolve("config"), exec.build(), cluster);
  }

  private ExecCredential run(ExecConfigBuilder exec) {
    return plugin(exec, null).run(false, time);
  }

  private String complaint(ExecConfigBuilder exec) {
    String[] message = new String[1];
    assertThatIllegalArgumentException()
        .isThrownBy(() -> run(exec))
        .satisfies(complaint -> message[0] = complaint.getMessage());
    String start = dir.resolve("config") + ": its credential plugin \"./plugin\" ";
    assertThat(message[0]).startsWith(start).doesNotContain("s3cret", "\n");
    return message[0].substring(start.length());
  }

  @Test
  void itsTokenIsUsed() throws Exception {
    String answer = credential("{\"token\":\"t\"}");
    assertThat(run(exec("echo warning >&2; echo '" + answer + "'")))
        .isEqualTo(new ExecCredential("t", "", ""));
    assertThat(time.armed()).isZero();
  }

  @Test
  void itsCertificateIsUsed() {
    Config config = Config.empty();
    ExecCredential.read(
            credential("{\"clientCertificateData\":\"c\",\"clientKeyData\":\"k\"}"), API)
        .applyTo(config);
    assertThat(config.getAutoOAuthToken()).isNull();
    assertThat(Base64.getDecoder().decode(config.getClientCertData())).asString().isEqualTo("c");
    assertThat(Base64.getDecoder().decode(config.getClientKeyData())).asString().isEqualTo("k");
  }

  @Test
  void itHasItsArgumentsAndVariables() throws Exception {
    ExecConfigBuilder exec =
        exec("echo '" + credential("{\"token\":\"'\"$1-$2-$MORE\"'\"}") + "'")
            .withArgs("one", "$HOME")
            .addToEnv(new ExecEnvVarBuilder().withName("MORE").withValue("more").build());
    assertThat(run(exec).token()).isEqualTo("one-$HOME-more");
  }

  @Test
  void itIsToldHowItIsRun() throws Exception {
    Path told = dir.resolve("told");
    run(
        exec(
            "printf %s \"$KUBERNETES_EXEC_INFO\" > '"
                + told
                + "'; echo '"
                + credential("{\"token\":\"t\"}")
                + "'"));
    assertThat(Json.parse(Files.readAllBytes(told)))
        .isEqualTo(
            Json.parse(
                "{\"kind\":\"ExecCredential\",\"apiVersion\":\"%s\",\"spec\":{\"interactive\":false}}"
                    .formatted(API)));
  }

  @Test
  void itIsToldOfTheClusterIfItAsksForThat() throws Exception {
    Files.writeString(dir.resolve("ca.crt"), "authority");
    Cluster cluster =
        new ClusterBuilder()
            .withServer("https://api.example.com")
            .withCertificateAuthority("ca.crt")
            .withExtensions(
                new NamedExtensionBuilder()
                    .withName("client.authentication.k8s.io/exec")
                    .withExtension(Map.of("audience", "a"))
                    .build())
            .build();
    assertThat(plugin(exec("").withProvideClusterInfo(true), cluster).info(true).get("spec"))
        .isEqualTo(
            Json.parse(
                """
                {"interactive":true,"cluster":{"server":"https://api.example.com",
                "certificate-authority-data":"YXV0aG9yaXR5","config":{"audience":"a"}}}
                """));
    assertThat(plugin(exec(""), cluster).info(true).get("spec"))
        .isEqualTo(Json.parse("{\"interactive\":true}"));
  }

  @Test
  void aFailureNamesTheExitStatusAndNotTheOutput() throws Exception {
    String answer = credential("{\"token\":\"s3cret\"}");
    assertThat(complaint(exec("echo '" + answer + "'; exit 3")))
        .isEqualTo("failed with exit status 3");
    assertThat(complaint(exec("echo s3cret"))).isEqualTo("printed no ExecCredential of " + API);
    assertThat(complaint(exec("true"))).isEqualTo("printed no ExecCredential of " + API);
    assertThat(complaint(exec("echo '" + answer.replace("v1", "v1beta1") + "'")))
        .isEqualTo("printed no ExecCredential of " + API);
  }

  @Test
  void credentialsAreNeededAndWhole() throws Exception {
    assertThat(complaint(exec("echo '" + credential("{}") + "'")))
        .isEqualTo("gave neither a token nor a certificate");
    assertThat(complaint(exec("echo '" + credential("{\"clientKeyData\":\"s3cret\"}") + "'")))
        .isEqualTo("gave only one of a certificate and its key");
  }

  @Test
  void aPluginThatIsAbsentOrNeedsATerminalSaysSo() throws Exception {
    assertThat(complaint(exec("").withInteractiveMode("Always")))
        .isEqualTo("asks the user, but there is no terminal");
    Files.delete(dir.resolve("plugin"));
    assertThat(complaint(new ExecConfigBuilder().withCommand("./plugin")))
        .startsWith("cannot be run: ");
  }

  @Test
  void aPluginThatPrintsWithoutEndIsEnded() throws Exception {
    assertThat(complaint(exec("exec yes s3cret"))).isEqualTo("printed more than 1048576 bytes");
  }

  @Test
  void aPluginThatDoesNotEndIsEnded() throws Exception {
    ExecConfigBuilder exec = exec("sleep 1000");
    CompletableFuture<String> complaint =
        CompletableFuture.supplyAsync(() -> complaint(exec), Thread::startVirtualThread);
    time.advanceOnceArmed(CredentialPlugin.LIMIT);
    assertThat(complaint.join()).isEqualTo("did not end within 5 minutes");
  }
}
