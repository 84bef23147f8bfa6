package dev.stint.runner.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class HostsFileTest {
  private static final ObjectNode CONTAINER = Json.object().put("name", "main");

  private static KubeObject pod(String spec) {
    return PodBuilder.named("a").metadata("'namespace':'team'").spec(spec).build();
  }

  @Test
  void aPodWithoutNamesOfItsOwnNeedsNone() {
    assertThat(HostsFile.isNeeded(pod(""), CONTAINER)).isFalse();
    assertThat(HostsFile.isNeeded(pod("'hostAliases': [], 'hostname': 'x'"), CONTAINER)).isFalse();
  }

  @Test
  void namesComeBelowThoseOfTheMachine() {
    KubeObject pod =
        pod(
            "'subdomain': 'jobs', 'hostAliases': [{'ip': '192.0.2.1', 'hostnames': ['x', 'y']},"
                + " {'ip': '192.0.2.2'}]");
    assertThat(HostsFile.isNeeded(pod, CONTAINER)).isTrue();
    assertThat(HostsFile.lines(pod, "host network", List.of("127.0.0.1 localhost"), new PodNames()))
        .containsExactly(
            "# Kubernetes-managed hosts file (host network).",
            "127.0.0.1 localhost",
            "127.0.0.1\ta.jobs.team.svc.cluster.local\ta",
            "",
            "# Entries added by HostAliases.",
            "192.0.2.1\tx\ty",
            "192.0.2.2");
  }

  @Test
  void aMountOverTheHostsFileReplacesIt() {
    ObjectNode container = CONTAINER.deepCopy();
    container.putArray("volumeMounts").addObject().put("mountPath", "/etc/hosts");
    assertThat(HostsFile.isNeeded(pod("'subdomain': 'jobs'"), container)).isFalse();
  }

  @Test
  void podsOfOneSubdomainFindEachOther(@TempDir Path dir) throws Exception {
    PodNames names = new PodNames();
    KubeObject first = named("job-0", "jobs");
    String address = names.join(first);
    Path file = HostsFile.write(dir.resolve("hosts"), first, names);
    KubeObject second = named("job-1", "jobs");
    String other = names.join(second);
    names.join(named("job-2", "elsewhere"));
    HostsFile.update(file, names.hosts(first.uid()));
    HostsFile.update(file, names.hosts(first.uid()));
    assertThat(Files.readAllLines(file))
        .contains(address + "\tjob-0.jobs.team.svc.cluster.local\tjob-0")
        .endsWith(
            other
                + "\tjob-1.jobs.team.svc.cluster.local job-1.jobs.team.svc job-1.jobs.team"
                + " job-1.jobs jobs.team.svc.cluster.local jobs.team.svc jobs.team jobs")
        .doesNotHaveDuplicates();
    assertThat(Files.readString(file)).doesNotContain("elsewhere");
    assertThat(names.peers(first.uid())).containsExactly(second.uid());
  }

  @Test
  void aPodThatReplacesAnotherHasItsAddressAndItsLine(@TempDir Path dir) throws Exception {
    PodNames names = new PodNames();
    KubeObject first = named("job-0", "jobs");
    names.join(first);
    KubeObject failed = named("job-1", "jobs");
    String address = names.join(failed);
    Path file = HostsFile.write(dir.resolve("hosts"), first, names);
    List<String> before = Files.readAllLines(file);
    names.leave(failed.uid());
    KubeObject again = named("job-1", "jobs", "other");
    assertThat(names.join(again)).isEqualTo(address);
    HostsFile.update(file, names.hosts(first.uid()));
    assertThat(Files.readAllLines(file)).isEqualTo(before);
  }

  @Test
  void ofTwoPodsOfOneNameTheNewerOneIsFound(@TempDir Path dir) throws Exception {
    PodNames names = new PodNames();
    KubeObject first = named("job-0", "jobs");
    names.join(first);
    String old = names.join(named("job-1", "jobs", "ends"));
    Path file = HostsFile.write(dir.resolve("hosts"), first, names);
    String address = names.join(named("job-1", "jobs", "other"));
    assertThat(address).isNotEqualTo(old);
    HostsFile.update(file, names.hosts(first.uid()));
    HostsFile.update(file, names.hosts(first.uid()));
    assertThat(Files.readString(file)).contains(address + "\tjob-1.").doesNotContain(old);
  }

  @Test
  void aLineWithAnotherAddressReplacesTheOldOne(@TempDir Path dir) throws Exception {
    PodNames names = new PodNames();
    KubeObject first = named("job-0", "jobs");
    names.join(first, "192.0.2.1");
    names.join(named("job-1", "jobs"), "192.0.2.2");
    Path file = HostsFile.write(dir.resolve("hosts"), first, names);
    names.join(named("job-1", "jobs"), "192.0.2.3");
    HostsFile.update(file, names.hosts(first.uid()));
    assertThat(Files.readString(file)).contains("192.0.2.3\tjob-1.").doesNotContain("192.0.2.2");
  }

  @Test
  void noLinkIsFollowedToAnotherFile(@TempDir Path dir) throws Exception {
    PodNames names = new PodNames();
    names.join(named("job-0", "jobs"));
    Path other = Files.writeString(dir.resolve("other"), "mine");
    Path link = HostsFile.write(dir.resolve("hosts"), pod(""), names);
    Files.delete(link);
    Files.createSymbolicLink(link, other);
    assertThatThrownBy(() -> HostsFile.update(link, names.hosts("uid-job-0")))
        .isInstanceOf(IOException.class);
    assertThat(other).hasContent("mine");
    HostsFile.update(dir.resolve("none"), names.hosts("uid-job-0"));
    assertThat(dir.resolve("none")).doesNotExist();
  }

  /** It could be large, or hold lines of the pod's own choice. */
  @Test
  void whatAPodHasWrittenThereIsNotRead(@TempDir Path dir) throws Exception {
    PodNames names = new PodNames();
    KubeObject first = named("job-0", "jobs");
    names.join(first);
    Path file = HostsFile.write(dir.resolve("hosts"), first, names);
    List<String> before = Files.readAllLines(file);
    Files.writeString(file, "192.0.2.1\tx\n".repeat(100));
    names.join(named("job-1", "jobs"));
    List<PodNames.Host> hosts = names.hosts(first.uid());
    HostsFile.update(file, hosts);
    List<String> after = Files.readAllLines(file);
    assertThat(after)
        .hasSize(before.size() + 1)
        .startsWith(before.toArray(String[]::new))
        .endsWith(
            hosts.getLast().line().contains("job-1")
                ? hosts.getLast().line()
                : hosts.getFirst().line());
  }

  /** Otherwise a crash would leave half of it for the pod's next container. */
  @Test
  void theFileIsWholeFromTheBeginning(@TempDir Path dir) throws Exception {
    Path half = Files.writeString(dir.resolve("hosts"), "# Kube");
    Path same = Files.createLink(dir.resolve("same"), half);
    Path file = HostsFile.write(dir.resolve("hosts"), pod(""), new PodNames());
    assertThat(Files.readString(file)).contains("localhost");
    assertThat(same).hasContent("# Kube");
  }

  @Test
  void onlyAPodThatStartsIsAdded() {
    PodNames names = new PodNames();
    KubeObject pod = named("job-0", "jobs");
    assertThat(names.addressed(pod)).isEqualTo(pod);
    assertThat(names.address(pod.uid())).isEmpty();
    String address = Json.text(names.joined(pod).status(), "podIP");
    assertThat(names.address(pod.uid())).hasValue(address);
    assertThat(Json.text(names.addressed(pod).status(), "podIP")).isEqualTo(address);
    names.leave(pod.uid());
    assertThat(names.addressed(pod)).isEqualTo(pod);
    assertThat(names.address(pod.uid())).isEmpty();
  }

  private static KubeObject named(String name, String subdomain) {
    return named(name, subdomain, "uid-" + name);
  }

  private static KubeObject named(String name, String subdomain, String uid) {
    return PodBuilder.named(name)
        .metadata("'namespace':'team', 'uid':'%s'".formatted(uid))
        .spec("'subdomain': '%s'".formatted(subdomain))
        .build();
  }
}
