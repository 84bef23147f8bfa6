package dev.stint.runner.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class HostLookupTest {
  private final CountDownLatch answers = new CountDownLatch(1);
  private final BlockingQueue<Boolean> virtual = new LinkedBlockingQueue<>();

  /** Answers like a resolver that is silent for a while. */
  private InetAddress slowly(String host) throws UnknownHostException {
    virtual.add(Thread.currentThread().isVirtual());
    try {
      answers.await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
    return InetAddress.getByAddress(host, new byte[] {10, 0, 0, 1});
  }

  @Test
  void aSilentResolverHoldsAFewThreadsOfThePlatform() throws Exception {
    HostLookup lookup = new HostLookup(this::slowly);
    List<CompletableFuture<String>> asked = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      asked.add(ask(lookup, "host-" + i % 50));
    }
    assertThat(virtual.take()).isFalse();
    assertThat(lookup.address("127.0.0.1").isLoopbackAddress()).isTrue();
    assertThat(lookup.address("::1").isLoopbackAddress()).isTrue();
    answers.countDown();
    for (CompletableFuture<String> one : asked) {
      assertThat(one.get()).isEqualTo("10.0.0.1");
    }
    assertThat(virtual).doesNotContain(true);
  }

  private static CompletableFuture<String> ask(HostLookup lookup, String host) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            answer.complete(lookup.address(host).getHostAddress());
          } catch (IOException fault) {
            answer.completeExceptionally(fault);
          }
        });
    return answer;
  }

  @Test
  void anUnknownNameIsSaid() {
    HostLookup lookup =
        new HostLookup(host -> {
          throw new UnknownHostException(host);
        });
    assertThatThrownBy(() -> lookup.address("nowhere")).hasMessage("nowhere: the name is unknown");
  }
}
