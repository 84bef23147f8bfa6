package dev.stint.cli.assets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.access.pki.GivenKeys;
import dev.stint.cli.output.UserException;
import dev.stint.embedded.ControllerName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flags of envtest and of kube-api-test mean what they mean for the original. */
class ApiServerFlagsTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void envtestsFlagsAreUnderstood() throws IOException {
    Files.createFile(directory.resolve("apiserver.crt"));
    Files.createFile(directory.resolve("apiserver.key"));
    ApiServerFlags flags =
        flags(
            "--allow-privileged=true",
            "--authorization-mode=RBAC",
            "--bind-address=127.0.0.1",
            "--cert-dir=" + directory,
            "--client-ca-file=/c/client-cert-auth-ca.crt",
            "--disable-admission-plugins=ServiceAccount",
            "--enable-admission-plugins=Priority",
            "--etcd-servers=http://127.0.0.1:1234",
            "--max-requests-inflight=0",
            "--runtime-config=api/all=true",
            "--secure-port=45678",
            "--service-account-issuer=https://127.0.0.1:45678/",
            "--service-account-key-file=/c/sa-signer.crt",
            "--service-account-signing-key-file=/c/sa-signer.key",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--v=4");
    assertThat(flags.warnings()).isEmpty();
    assertThat(flags.address().toString()).isEqualTo("/127.0.0.1:45678");
    assertThat(flags.allowsPrivileged()).isTrue();
    assertThat(flags.allowsEverything()).isFalse();
    assertThat(flags.disabledPlugins()).containsExactly("ServiceAccount");
    assertThat(flags.controllers()).isEmpty();
    GivenKeys.Sources keys = flags.keys();
    assertThat(keys.certificate()).isEqualTo(directory.resolve("apiserver.crt"));
    assertThat(keys.key()).isEqualTo(directory.resolve("apiserver.key"));
    assertThat(keys.clientAuthority()).isEqualTo(Path.of("/c/client-cert-auth-ca.crt"));
    assertThat(keys.tokenKeys()).containsExactly(Path.of("/c/sa-signer.crt"));
    assertThat(keys.tokenSigner()).isEqualTo(Path.of("/c/sa-signer.key"));
    assertThat(keys.issuers()).containsExactly("https://127.0.0.1:45678/");
  }

  @Test
  void servicesHaveAddresses() {
    ApiServerFlags flags =
        flags("--service-address=a/b=127.0.0.1:9443", "--service-address=a/c=[::1]:1");
    assertThat(flags.warnings()).isEmpty();
    assertThat(SharedFlags.parse(flags.shared()).services())
        .containsEntry("a/b", InetSocketAddress.createUnresolved("127.0.0.1", 9443))
        .containsEntry("a/c", InetSocketAddress.createUnresolved("[::1]", 1));
    SharedFlags faulty = SharedFlags.parse(flags("--service-address=a=b:1").shared());
    assertThatThrownBy(faulty::services)
        .isInstanceOf(UserException.class)
        .hasMessageContaining("NAMESPACE/NAME=HOST:PORT");
  }

  @Test
  void kubeApiTestsFormIsUnderstood() {
    ApiServerFlags flags =
        flags(
            "--cert-dir",
            directory.toString(),
            "--secure-port",
            "7000",
            "--service-account-issuer",
            "/k/file.key",
            "--service-account-key-file",
            "/k/a.crt",
            "--service-account-key-file",
            "/k/b.crt",
            "--disable-admission-plugins",
            "ServiceAccount",
            "--disable-admission-plugins",
            "NamespaceLifecycle",
            "--allow-privileged");
    assertThat(flags.warnings()).isEmpty();
    assertThat(flags.address().toString()).as("loopback").endsWith("127.0.0.1:7000");
    assertThat(flags.allowsPrivileged()).isTrue();
    assertThat(flags.allowsEverything()).as("Kubernetes' default mode").isTrue();
    assertThat(flags.disabledPlugins())
        .containsExactlyInAnyOrder("ServiceAccount", "NamespaceLifecycle");
    assertThat(flags.keys().tokenKeys()).containsExactly(Path.of("/k/a.crt"), Path.of("/k/b.crt"));
    assertThat(flags.keys().certificate()).as("made in memory").isNull();
  }

  @Test
  void theUnknownIsWarnedAboutAndIgnored() {
    ApiServerFlags flags =
        flags("--nonsense", "-x=1", "word", "--feature-gates=Foo=true,JobSuccessPolicy=false");
    assertThat(flags.warnings())
        .containsExactly(
            "ignores the unknown flag --nonsense",
            "ignores the unknown flag --x",
            "ignores the argument \"word\"",
            "ignores the unknown feature gate Foo=true");
    assertThat(flags.shared()).containsExactly("--feature-gates=JobSuccessPolicy=false");
  }

  @Test
  void controllersAreChosenByAFlagOrElseByAVariable() {
    Map<String, String> variable = Map.of("STINT_CONTROLLERS", "gc");
    assertThat(new ApiServerFlags(GoFlags.parse(), variable).controllers())
        .containsExactly(ControllerName.GC);
    GoFlags given = GoFlags.parse("--stint-controllers=job", "--stint-controllers", "namespace");
    assertThat(new ApiServerFlags(given, variable).controllers())
        .containsExactlyInAnyOrder(ControllerName.JOB, ControllerName.NAMESPACE);
    assertThat(flags("--stint-controllers=all").controllers())
        .contains(ControllerName.JOB)
        .doesNotContain(ControllerName.PODGC);
    assertThatThrownBy(() -> flags("--stint-controllers=jobs").controllers())
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith("--stint-controllers: unknown controller \"jobs\"");
  }

  @Test
  void halfAnIdentityIsRefused() throws IOException {
    Path certificate = Files.createFile(directory.resolve("apiserver.crt"));
    assertThatThrownBy(() -> flags("--cert-dir=" + directory).keys())
        .isInstanceOf(UserException.class)
        .hasMessageStartingWith("there is no key for " + certificate);
    assertThatThrownBy(() -> flags("--secure-port=70000").address())
        .hasMessage("--secure-port: \"70000\" is not a port");
  }

  private static ApiServerFlags flags(String... args) {
    return new ApiServerFlags(GoFlags.parse(args), Map.of());
  }
}
