package dev.stint.console.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.model.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ServerSentEventsTest {
  private final List<String> written = new ArrayList<>();
  private final List<Runnable> onClose = new ArrayList<>();
  private final Queue<Runnable> rests = new ArrayDeque<>();
  private final Numbers numbers = new Numbers();
  private final Steps alarm = new Steps();
  private Runnable news = () -> {};

  /** Time that the test controls. */
  private final class Steps implements ChangeSignal {
    private boolean raised;
    private boolean ended;

    @Override
    public void raise() {
      raised = true;
    }

    @Override
    public void close() {
      ended = true;
    }

    @Override
    public Cause await(Duration patience) {
      assertThat(patience).isEqualTo(ServerSentEvents.HEARTBEAT_INTERVAL);
      if (!raised && !ended) {
        pass();
        return ended ? Cause.END : raised ? await(patience) : Cause.SILENCE;
      }
      raised = false;
      return ended ? Cause.END : Cause.CHANGE;
    }

    @Override
    public void pause(Duration span) {
      assertThat(span).isEqualTo(ServerSentEvents.GAP);
      pass();
    }

    private void pass() {
      Runnable next = rests.poll();
      if (next == null) {
        onClose.forEach(Runnable::run);
      } else {
        next.run();
      }
    }
  }

  /** A feed that counts events. */
  private static final class Numbers implements ChangeFeed {
    private int count;
    private int told;
    private boolean over;
    private boolean closed;

    @Override
    public List<Frame> take() {
      if (count == told) {
        return List.of();
      }
      told = count;
      return List.of(new Frame("count", Json.object().put("count", count)));
    }

    @Override
    public boolean hasEnded() {
      return over;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private void happen(int times) {
    for (int i = 0; i < times; i++) {
      numbers.count++;
      news.run();
    }
  }

  private void serve() throws Exception {
    new ServerSentEvents(
            changed -> {
              news = changed;
              return numbers;
            },
            () -> alarm)
        .writeTo(
            new ApiResponse.Sink() {
              @Override
              public void write(byte[] bytes) {
                written.add(new String(bytes, StandardCharsets.UTF_8));
              }

              @Override
              public void onClose(Runnable task) {
                onClose.add(task);
              }
            });
  }

  @Test
  void manyEventsBetweenTwoFramesAreOneFrame() throws Exception {
    rests.add(() -> happen(100_000));
    rests.add(() -> happen(1));
    serve();
    assertThat(written)
        .containsExactly(
            "retry: 2000\n\n",
            "event: count\ndata: {\"count\":100000}\n\n",
            "event: count\ndata: {\"count\":100001}\n\n");
    assertThat(numbers.closed).isTrue();
  }

  @Test
  void heartbeatsAreSentIfNothingChanges() throws Exception {
    rests.add(() -> {});
    rests.add(() -> {});
    serve();
    assertThat(written).containsExactly("retry: 2000\n\n", ":\n\n");
  }

  @Test
  void theEndOfTheFeedEndsTheStreamAfterItsLastFrames() throws Exception {
    rests.add(() -> {
      happen(1);
      numbers.over = true;
    });
    serve();
    assertThat(written).hasSize(2).last().asString().contains("\"count\":1");
    assertThat(numbers.closed).isTrue();
  }
}
