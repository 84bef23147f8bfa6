package dev.stint.runner.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

class HostNameTest {
  private static KubeObject pod(String spec) {
    return PodBuilder.named("pi-0-x").metadata("'namespace':'team'").spec(spec).build();
  }

  @Test
  void aPodIsCalledByItsHostnameOrItsName() {
    assertThat(HostName.of(pod(""))).isEqualTo("pi-0-x");
    assertThat(HostName.of(pod("'hostname': 'pi-0'"))).isEqualTo("pi-0");
    assertThat(HostName.of(pod("'hostname': 'pi-0', 'hostnameOverride': 'other'")))
        .isEqualTo("other");
  }

  @Test
  void aSubdomainGivesItADomain() {
    KubeObject pod = pod("'hostname': 'pi-0', 'subdomain': 'pi'");
    assertThat(HostName.of(pod)).isEqualTo("pi-0");
    assertThat(HostName.full(pod)).isEqualTo("pi-0.pi.team.svc.cluster.local");
    assertThat(HostName.domain(pod("'hostname': 'pi-0'"))).isEmpty();
  }

  @Test
  void theFullNameIsTheHostNameIfRequested() {
    assertThat(HostName.of(pod("'hostname': 'a', 'subdomain': 'b', 'setHostnameAsFQDN': true")))
        .isEqualTo("a.b.team.svc.cluster.local");
    assertThat(HostName.of(pod("'hostname': 'a', 'setHostnameAsFQDN': true"))).isEqualTo("a");
  }
}
