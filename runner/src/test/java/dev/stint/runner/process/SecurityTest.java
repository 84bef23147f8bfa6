package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.proc.ProcStatus;
import dev.stint.runner.process.isolation.ProcessIdentity;
import dev.stint.runner.process.isolation.SecurityRefusals;
import dev.stint.runner.process.isolation.Setpriv;
import dev.stint.runner.spec.SecurityContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The users of processes: what is refused, and the arguments of setpriv for the rest. */
class SecurityTest {
  private static final ProcessIdentity ROOT = new ProcessIdentity(0, 0, Set.of(), 0x1ff_ffff_ffffL);
  private static final ProcessIdentity USER = new ProcessIdentity(1000, 1000, Set.of(27L), 0);

  @Test
  void nothingAskedForIsNothingDone() {
    assertThat(prefix(ROOT, "{}", "{}")).isEmpty();
    assertThat(prefix(USER, "{}", "{\"allowPrivilegeEscalation\": true}")).isEmpty();
  }

  @Test
  void rootCanRunProcessesAsAnybody() {
    assertThat(
            prefix(
                ROOT,
                "{\"runAsUser\": 5, \"fsGroup\": 9, \"supplementalGroups\": [8]}",
                "{\"runAsUser\": 77777, \"runAsGroup\": 7}"))
        .containsExactly(
            "setpriv", "--reuid=77777", "--regid=7", "--groups=8,9", "--no-new-privs", "--");
    assertThat(prefix(ROOT, "{\"runAsUser\": 77777}", "{}"))
        .containsExactly(
            "setpriv", "--reuid=77777", "--regid=0", "--clear-groups", "--no-new-privs", "--");
    assertThat(prefix(ROOT, "{\"runAsUser\": 0}", "{}"))
        .containsExactly("setpriv", "--reuid=0", "--regid=0", "--clear-groups", "--");
  }

  @Test
  void droppedCapabilitiesAreGoneAndOthersStay() {
    assertThat(
            prefix(
                ROOT, "{}", "{\"capabilities\": {\"drop\": [\"ALL\"], \"add\": [\"CAP_CHOWN\"]}}"))
        .containsExactly("setpriv", "--bounding-set=-all,+chown", "--inh-caps=-all", "--");
    assertThat(prefix(ROOT, "{}", "{\"capabilities\": {\"drop\": [\"NET_RAW\", \"MKNOD\"]}}"))
        .containsExactly(
            "setpriv", "--bounding-set=-net_raw,-mknod", "--inh-caps=-net_raw,-mknod", "--");
  }

  @Test
  void nonRootUsersCannotGainCapabilities() {
    assertThat(prefix(USER, "{}", "{\"capabilities\": {\"drop\": [\"ALL\"]}}"))
        .containsExactly("setpriv", "--no-new-privs", "--");
    assertThat(prefix(USER, "{}", "{\"allowPrivilegeEscalation\": false}"))
        .containsExactly("setpriv", "--no-new-privs", "--");
  }

  @Test
  void rootIsRefusedLittle() {
    assertThat(
            refused(
                ROOT,
                "{\"runAsUser\": 5, \"seccompProfile\": {\"type\": \"RuntimeDefault\"}}",
                "{\"runAsNonRoot\": true, \"capabilities\": {\"drop\": [\"all\"], \"add\": [\"KILL\"]}}"))
        .isEmpty();
    assertThat(
            refused(
                ROOT,
                "{\"runAsNonRoot\": true, \"sysctls\": [{\"name\": \"a\"}]}",
                """
                {"privileged": true, "procMount": "Unmasked", "seLinuxOptions": {"level": "s0"},
                 "appArmorProfile": {"type": "Localhost"},
                 "capabilities": {"add": ["NONSENSE"], "drop": ["NONSENSE"]}}
                """))
        .containsExactly(
            "spec.securityContext.sysctls",
            "c.securityContext.seLinuxOptions",
            "c.securityContext.appArmorProfile",
            "c.securityContext.privileged",
            "c.securityContext.procMount",
            "c.securityContext.capabilities.add[0]",
            "c.securityContext.capabilities.drop[0]",
            "c.securityContext.runAsNonRoot");
  }

  @Test
  void othersCanOnlyBeThemselves() {
    assertThat(
            refused(
                USER,
                "{\"runAsUser\": 1000, \"fsGroup\": 27}",
                "{\"runAsNonRoot\": true, \"runAsGroup\": 1000}"))
        .isEmpty();
    assertThat(
            refused(
                USER,
                "{\"runAsUser\": 0, \"fsGroup\": 28, \"supplementalGroups\": [27, 29]}",
                "{\"capabilities\": {\"add\": [\"NET_ADMIN\"]}}"))
        .containsExactly(
            "spec.securityContext.runAsUser",
            "spec.securityContext.fsGroup",
            "spec.securityContext.supplementalGroups[1]",
            "c.securityContext.capabilities.add[0]");
  }

  @Test
  void theIdentityIsReadFromTheSystem() {
    ProcessIdentity parsed =
        ProcessIdentity.of(
            ProcStatus.parse(
                List.of(
                    "Name:\tjava",
                    "Uid:\t1\t2\t3\t4",
                    "Gid:\t5\t6\t7\t8",
                    "Groups:\t10 20 ",
                    "CapEff:\t0000000000000401")));
    assertThat(parsed).isEqualTo(new ProcessIdentity(2, 6, Set.of(10L, 20L), 0x401));
    assertThat(parsed.hasCapability("CHOWN")).isTrue();
    assertThat(parsed.hasCapability("CAP_NET_BIND_SERVICE")).isTrue();
    assertThat(parsed.hasCapability("KILL")).isFalse();
  }

  private static List<String> prefix(ProcessIdentity own, String pod, String container) {
    ObjectNode spec = Json.object();
    spec.putObject("spec").set("securityContext", Json.parse(pod));
    ObjectNode one = Json.object();
    one.set("securityContext", Json.parse(container));
    return new Setpriv(SecurityContext.of(KubeObject.of(spec), one)).prefix("setpriv", own, false);
  }

  private static List<String> refused(ProcessIdentity own, String pod, String container) {
    List<String> paths = new ArrayList<>();
    SecurityRefusals refusals = new SecurityRefusals(own, (path, _) -> paths.add(path));
    ObjectNode spec = Json.object();
    spec.set("securityContext", Json.parse(pod));
    ObjectNode one = Json.object();
    one.set("securityContext", Json.parse(container));
    refusals.pod(spec, "spec");
    refusals.container(spec, one, "c");
    return paths;
  }
}
