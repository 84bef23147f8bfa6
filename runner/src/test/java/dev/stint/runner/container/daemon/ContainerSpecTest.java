package dev.stint.runner.container.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.env.ExpansionLimitException;
import dev.stint.runner.env.Variables;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.volume.PodMounts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ContainerSpecTest {
  private static final LocalImage IMAGE = new LocalImage("sha256:1", "sha256:1", "", "SIGTERM", 0);
  private static final ContainerLabels LABELS =
      new ContainerLabels("/data", "uid-a", "main", 2, 1, "boot", 10, 0);

  @Test
  void aContainerJoinsThePauseContainersNamespacesAndHasItsCommandExpanded() {
    ObjectNode body =
        container(
                "{'restartPolicy': 'Never'}",
                "{'command': ['a', '$(X)'], 'args': ['$$(X)', '$(Y)'], 'workingDir': '/w'}",
                IMAGE,
                true)
            .body();
    assertThat(body.get("Entrypoint").toString()).isEqualTo("[\"a\",\"x\"]");
    assertThat(body.get("Cmd").toString()).isEqualTo("[\"$(X)\",\"$(Y)\"]");
    assertThat(body.get("Env").toString()).isEqualTo("[\"HOSTNAME=a\",\"X=x\"]");
    assertThat(Json.text(body, "WorkingDir")).isEqualTo("/w");
    assertThat(Json.text(body, "Hostname")).isEqualTo("a");
    assertThat(host(body, "NetworkMode")).isEqualTo("container:h");
    assertThat(host(body, "IpcMode")).isEqualTo("container:h");
    assertThat(body.at("/HostConfig/Mounts").toString())
        .isEqualTo("[{\"Type\":\"bind\",\"Source\":\"/s\",\"Target\":\"/t\",\"ReadOnly\":true}]");
  }

  @Test
  void aShellWritesBytesThatJsonCannotHold() throws Exception {
    String script =
        NonUtf8Command.script("caf\uDCE9\n", List.of("printf", "%s|", "it's \uDCE9\n", "\\"));
    assertThat(script).isASCII();
    Process process = new ProcessBuilder("/bin/sh", "-c", script).redirectErrorStream(true).start();
    assertThat(process.getInputStream().readAllBytes())
        .isEqualTo("it's \u00E9\n|\\|".getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void theImagesDefaultsStayUnlessOverridden() {
    ObjectNode body = container("{}", "{}", IMAGE, false).body();
    assertThat(body.propertyNames())
        .doesNotContain("Entrypoint", "Cmd", "WorkingDir", "User", "Hostname");
    assertThat(body.at("/HostConfig").propertyNames())
        .doesNotContain(
            "Memory", "CpuQuota", "CpuPeriod", "CapAdd", "CapDrop", "SecurityOpt", "PidMode");
  }

  @Test
  void theStopSignalIsTheContainersElseTheImages() {
    ObjectNode body =
        container("{}", "{'lifecycle': {'stopSignal': 'SIGRTMIN+3'}}", IMAGE, false).body();
    assertThat(Json.text(body, "StopSignal")).isEqualTo("SIGRTMIN+3");
    assertThat(container("{}", "{}", IMAGE, false).body().has("StopSignal")).isFalse();
  }

  @Test
  void theSecurityContextOfTheContainerWinsOverThePods() {
    ObjectNode body =
        container(
                "{'securityContext': {'runAsUser': 1, 'runAsGroup': 2, 'fsGroup': 3,"
                    + " 'seccompProfile': {'type': 'Unconfined'}}}",
                "{'securityContext': {'runAsUser': 5, 'readOnlyRootFilesystem': true,"
                    + " 'allowPrivilegeEscalation': false,"
                    + " 'capabilities': {'drop': ['ALL'], 'add': ['CAP_NET_RAW']}}}",
                IMAGE,
                false)
            .body();
    assertThat(Json.text(body, "User")).isEqualTo("5:2");
    assertThat(body.at("/HostConfig/GroupAdd").toString()).isEqualTo("[\"3\"]");
    assertThat(body.at("/HostConfig/CapAdd").toString()).isEqualTo("[\"NET_RAW\"]");
    assertThat(body.at("/HostConfig/CapDrop").toString()).isEqualTo("[\"ALL\"]");
    assertThat(body.at("/HostConfig/ReadonlyRootfs").booleanValue()).isTrue();
    assertThat(body.at("/HostConfig/SecurityOpt").toString())
        .isEqualTo("[\"no-new-privileges\",\"seccomp=unconfined\"]");
  }

  @Test
  void aGroupAloneKeepsTheUserOfTheImage() {
    String group = "{'securityContext': {'runAsGroup': 7}}";
    assertThat(Json.text(container("{}", group, IMAGE, false).body(), "User")).isEqualTo("0:7");
    LocalImage own = new LocalImage("", "", "app:9", "", 0);
    assertThat(Json.text(container("{}", group, own, false).body(), "User")).isEqualTo("app:7");
  }

  @Test
  void limitsAreBytesAndAQuotaOfEachPeriod() {
    ObjectNode host = limited("{'cpu': '250m', 'memory': '1Mi'}");
    assertThat(Json.longInteger(host, "Memory")).isEqualTo(1 << 20);
    assertThat(Json.longInteger(host, "MemorySwap")).isEqualTo(1 << 20);
    assertThat(Json.longInteger(host, "CpuPeriod")).isEqualTo(100_000);
    assertThat(Json.longInteger(host, "CpuQuota")).isEqualTo(25_000);
  }

  /** Docker takes NanoCpus only within the machine's cores, and the kernel has bounds, too. */
  @Test
  void aLimitOfCpuMayBeTinyAndAboveTheMachinesCores() {
    assertThat(Json.longInteger(limited("{'cpu': '5m'}"), "CpuQuota")).isEqualTo(1000);
    ObjectNode many = limited("{'cpu': '1000'}");
    assertThat(Json.longInteger(many, "CpuQuota")).isEqualTo(100_000_000);
    assertThat(many.has("NanoCpus")).isFalse();
    ObjectNode most = limited("{'cpu': '175921860444m'}");
    assertThat(Json.longInteger(most, "CpuQuota")).isEqualTo(17_592_186_044_400L);
    assertThat(limited("{'cpu': '175921860445m'}").propertyNames())
        .doesNotContain("CpuQuota", "CpuPeriod");
  }

  private static ObjectNode limited(String limits) {
    String container = "{'resources': {'limits': %s}}".formatted(limits);
    return (ObjectNode) container("{}", container, IMAGE, true).body().get("HostConfig");
  }

  @Test
  void theHostsNamespacesAreSharedIfRequested() {
    String pod = "{'hostNetwork': true, 'hostIPC': true, 'hostPID': true}";
    ObjectNode body = container(pod, "{}", IMAGE, true).body();
    for (String mode : List.of("NetworkMode", "IpcMode", "PidMode")) {
      assertThat(host(body, mode)).isEqualTo("host");
    }
    assertThat(body.has("Hostname")).isFalse();
    ObjectNode pause = ContainerSpec.pauseContainer(run(pod, "{}"), pauseLabels()).body();
    assertThat(host(pause, "NetworkMode")).isEqualTo("host");
    assertThat(pause.has("Hostname")).isFalse();
  }

  @Test
  void thePauseContainerHasTheNameAndTheHostsOfThePodAndNoCapabilities() {
    String pod = "{'hostAliases': [{'ip': '192.0.2.1', 'hostnames': ['x', 'y']}]}";
    ContainerSpec pause = ContainerSpec.pauseContainer(run(pod, "{}"), pauseLabels());
    assertThat(pause.name()).isEqualTo("stint-uid-a");
    assertThat(Json.text(pause.body(), "Hostname")).isEqualTo("a");
    assertThat(pause.body().at("/HostConfig/ExtraHosts").toString())
        .isEqualTo("[\"x:192.0.2.1\",\"y:192.0.2.1\"]");
    assertThat(host(pause.body(), "IpcMode")).isEqualTo("shareable");
    assertThat(pause.body().at("/HostConfig/CapDrop").toString()).isEqualTo("[\"ALL\"]");
  }

  @Test
  void labelsTellAllThatTheNextLifeNeeds() {
    ContainerSpec creation = container("{}", "{}", IMAGE, true);
    assertThat(creation.name()).isEqualTo("stint-uid-a-main-2");
    assertThat(ContainerLabels.read((ObjectNode) creation.body().get("Labels"))).isEqualTo(LABELS);
    ObjectNode pause = ContainerSpec.pauseContainer(run("{}", "{}"), pauseLabels()).body();
    assertThat(ContainerLabels.read((ObjectNode) pause.get("Labels"))).isEqualTo(pauseLabels());
    assertThat(ContainerLabels.read(Json.object().put("other", "x"))).isNull();
    assertThat(LABELS.earlier(2).containerName()).isEqualTo("stint-uid-a-main-0");
  }

  @Test
  void runAsNonRootRefusesAnImageThatRunsAsRoot() {
    String asked = "{'securityContext': {'runAsNonRoot': true}}";
    assertThat(fault(asked, "{}", "")).contains("will run as root");
    assertThat(fault(asked, "{}", "0:5")).contains("will run as root");
    assertThat(fault(asked, "{}", "app")).contains("non-numeric user (app)");
    assertThat(fault(asked, "{}", "1000")).isNull();
    assertThat(fault(asked, "{'securityContext': {'runAsUser': 0}}", "1000")).isNotNull();
    assertThat(fault(asked, "{'securityContext': {'runAsUser': 7}}", "")).isNull();
    assertThat(fault(asked, "{'securityContext': {'runAsNonRoot': false}}", "")).isNull();
  }

  private static @Nullable String fault(String pod, String container, String user) {
    return ContainerSpec.nonRootFault(run(pod, container), new LocalImage("", "", user, "", 0));
  }

  private static ContainerLabels pauseLabels() {
    return ContainerLabels.ofPauseContainer("/data", "uid-a", "boot");
  }

  @Test
  void theLogOfTheDaemonHasALimit() {
    LocalImage image = new LocalImage("", "", "", "", 0);
    assertThat(container("{}", "{}", image, false).body().at("/HostConfig/LogConfig").toString())
        .isEqualTo(
            "{\"Type\":\"json-file\",\"Config\":{\"max-size\":\"52428800\",\"max-file\":\"3\"}}");
    assertThat(container("{}", "{}", image, true).body().at("/HostConfig/LogConfig").toString())
        .isEqualTo("{\"Type\":\"k8s-file\",\"Config\":{\"max-size\":\"157286400\"}}");
  }

  @Test
  void theExpandedCommandIsLimited() {
    Variables variables = Variables.of(Map.of("X", "x".repeat(600_000)));
    assertThatThrownBy(() ->
            container(
                "{}", "{'command': ['$(X)$(X)'], 'args': ['$(X)$(X)']}", IMAGE, false, variables))
        .isInstanceOf(ExpansionLimitException.class);
  }

  private static String host(ObjectNode body, String member) {
    return String.valueOf(Json.text(body.get("HostConfig"), member));
  }

  private static ContainerSpec container(
      String pod, String container, LocalImage image, boolean podman) {
    try {
      return container(pod, container, image, podman, Variables.of(Map.of("X", "x")));
    } catch (ExpansionLimitException fault) {
      throw new AssertionError(fault);
    }
  }

  private static ContainerSpec container(
      String pod, String container, LocalImage image, boolean podman, Variables variables)
      throws ExpansionLimitException {
    return ContainerSpec.container(
        run(pod, container),
        LABELS,
        new ContainerSpec.Context(
            "h",
            image,
            ImageRef.parse("busybox:1").orElseThrow(),
            variables,
            List.of(new PodMounts.Mounted(Path.of("/s"), Path.of("/t"), true, false, null)),
            LogLimits.DEFAULT,
            podman));
  }

  private static ContainerRun run(String spec, String container) {
    ObjectNode pod = Json.object();
    pod.putObject("metadata").put("name", "a").put("namespace", "default").put("uid", "uid-a");
    pod.set("spec", Json.parse(spec.replace('\'', '"')));
    ObjectNode entry = Json.parse(container.replace('\'', '"')).put("name", "main");
    return new ContainerRun(KubeObject.of(pod), entry, 1, false, PodInputs.NONE);
  }
}
