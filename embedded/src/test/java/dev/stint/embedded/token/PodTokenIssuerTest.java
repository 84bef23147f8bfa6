package dev.stint.embedded.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class PodTokenIssuerTest {
  private static boolean isReachable(String host, String address) throws Exception {
    InetAddress resolved =
        InetAddress.getByAddress(host, InetAddress.ofLiteral(address).getAddress());
    return PodTokenIssuer.isReachableForContainers(new InetSocketAddress(resolved, 6443));
  }

  /** Debian gives the name of a machine the address 127.0.1.1. */
  @Test
  void containersReachANameAsWhatItStandsFor() throws Exception {
    assertThat(isReachable("laptop", "127.0.1.1")).isFalse();
    assertThat(isReachable("laptop", "::1")).isFalse();
    assertThat(isReachable("laptop", "10.0.0.5")).isTrue();
    assertThat(isReachable("0.0.0.0", "0.0.0.0")).isFalse();
    assertThat(isReachable("::", "::")).isFalse();
  }

  @Test
  void anAddressThatNobodyLookedUpCountsAsItIsWritten() {
    for (String host : new String[] {"127.0.0.1", "localhost", "0.0.0.0"}) {
      assertThat(
              PodTokenIssuer.isReachableForContainers(InetSocketAddress.createUnresolved(host, 1)))
          .isFalse();
    }
    assertThat(
            PodTokenIssuer.isReachableForContainers(
                InetSocketAddress.createUnresolved("10.0.0.5", 1)))
        .isTrue();
  }
}
