package dev.stint.apiserver.http.router;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ForwardingBody;
import dev.stint.apiserver.http.ForwardingSink;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The parts of a request that wait for its client: the client keeps no seat from others, however
 * slowly it sends and reads.
 */
final class TurnTaking {
  private TurnTaking() {}

  /** Returns a body during whose reception the seats are free for others. */
  static Call.Body outOfTurn(Call.Body body, Seats.Turn turn) {
    return turn.isExempt() ? body : new BodyOutOfTurn(body, turn);
  }

  private record BodyOutOfTurn(Call.Body body, Seats.Turn turn) implements Call.Body {
    @Override
    public byte[] read() throws IOException {
      turn.giveBack();
      byte[] read = body.read();
      turn.take();
      return read;
    }

    @Override
    public byte[] read(int longest) throws IOException {
      turn.giveBack();
      byte[] read = body.read(longest);
      turn.take();
      return read;
    }

    @Override
    public void identify(User user) {
      body.identify(user);
    }

    @Override
    public void onEnd(Runnable task) {
      body.onEnd(task);
    }
  }

  /** Returns a response whose pieces are made in turn, if it is streamed and ends by itself. */
  static ApiResponse inTurn(ApiResponse reply, Seats.Turn turn) {
    return reply instanceof ApiResponse.Streamed streamed
            && streamed.body().isFinite()
            && !turn.isExempt()
        ? new ApiResponse.Streamed(
            streamed.code(),
            streamed.type(),
            new PiecesInTurn(streamed.body(), turn),
            streamed.headers())
        : reply;
  }

  private static final class PiecesInTurn extends ForwardingBody {
    private final Seats.Turn turn;

    PiecesInTurn(ApiResponse.Body body, Seats.Turn turn) {
      super(body);
      this.turn = turn;
    }

    @Override
    public void writeTo(ApiResponse.Sink sink) throws IOException, InterruptedException {
      super.writeTo(new SinkInTurn(sink, turn));
    }
  }

  private static final class SinkInTurn extends ForwardingSink {
    private final Seats.Turn turn;

    SinkInTurn(ApiResponse.Sink sink, Seats.Turn turn) {
      super(sink);
      this.turn = turn;
    }

    @Override
    public void write(long size, ApiResponse.Piece piece) throws IOException {
      try {
        super.write(size, () -> made(piece));
      } catch (UncheckedIOException stopping) {
        throw stopping.getCause();
      }
    }

    /** Makes a piece, for which there is memory now; before and afterwards its seat is free. */
    private byte[] made(ApiResponse.Piece piece) {
      try {
        turn.takeForPart();
        return piece.bytes();
      } catch (IOException stopping) {
        throw new UncheckedIOException(stopping);
      } finally {
        turn.giveBack();
      }
    }
  }
}
