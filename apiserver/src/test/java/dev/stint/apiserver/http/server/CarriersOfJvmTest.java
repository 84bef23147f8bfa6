package dev.stint.apiserver.http.server;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Virtual threads that wait for others to compute run once there are more carriers. */
@Timeout(60)
class CarriersOfJvmTest {
  private final CarriersOfJvm carriers = new CarriersOfJvm();
  private final int usual = carriers.number();
  private final AtomicBoolean enough = new AtomicBoolean();

  @BeforeEach
  void computeOnAllCarriers() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(usual);
    for (int i = 0; i < usual; i++) {
      Thread.startVirtualThread(() -> {
        begun.countDown();
        while (!enough.get()) {
          Thread.onSpinWait();
        }
      });
    }
    begun.await();
  }

  @AfterEach
  void endComputing() {
    enough.set(true);
    carriers.set(usual);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 60, 61, 62, 63, 64, 65, 1_000, 20_000})
  void thoseThatWaitGetTheirTurn(int waiting) throws InterruptedException {
    CountDownLatch others = new CountDownLatch(waiting);
    for (int i = 0; i < waiting; i++) {
      Thread.startVirtualThread(others::countDown);
    }
    carriers.set(2 * usual);
    others.await();
  }
}
