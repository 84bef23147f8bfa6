package dev.stint.console.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.http.ApiResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SessionBodyTest {
  private final List<String> tickets = new ArrayList<>();
  private final SignIn signIn = new SignIn(() -> Instant.EPOCH, new Random(7), tickets::add);
  private final List<String> sent = new ArrayList<>();

  /** Writes two pieces; the session may end between them. */
  private final class Pieces implements ApiResponse.Body {
    private final Runnable between;

    Pieces(Runnable between) {
      this.between = between;
    }

    @Override
    public void writeTo(ApiResponse.Sink sink) throws IOException {
      sink.write(70_000, () -> new byte[1]);
      between.run();
      sink.write(70_000, () -> new byte[1]);
    }

    @Override
    public boolean isFinite() {
      return true;
    }

    @Override
    public long memory() {
      return 12_345;
    }

    @Override
    public void onRefused(ApiResponse.Whole instead) {
      sent.add("refused");
    }
  }

  private final class Recorder implements ApiResponse.Sink {
    @Override
    public void write(byte[] bytes) {
      sent.add("uncounted");
    }

    @Override
    public void write(long size, ApiResponse.Piece piece) {
      sent.add("piece of " + size);
    }

    @Override
    public void onClose(Runnable task) {}
  }

  private SessionBody guarded(String session, Runnable between) {
    return new SessionBody(signIn, session, new Pieces(between));
  }

  @Test
  void whatABodyHoldsCountsBehindASessionToo() throws Exception {
    signIn.announceTicket();
    String session = signIn.redeem(tickets.getLast()).orElseThrow();
    SessionBody body = guarded(session, () -> {});
    assertThat(body.memory()).isEqualTo(12_345);
    assertThat(body.isFinite()).isTrue();
    body.writeTo(new Recorder());
    body.onRefused(ApiResponse.text(429, ""));
    assertThat(sent).containsExactly("piece of 70000", "piece of 70000", "refused");
  }

  @Test
  void itEndsWithTheSession() {
    signIn.announceTicket();
    String session = signIn.redeem(tickets.getLast()).orElseThrow();
    SessionBody body = guarded(session, () -> signIn.signOut(session));
    assertThatThrownBy(() -> body.writeTo(new Recorder())).hasMessage("the session has ended");
    assertThat(sent).hasSize(1);
  }
}
