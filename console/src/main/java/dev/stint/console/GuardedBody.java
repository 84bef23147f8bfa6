package dev.stint.console;

import dev.stint.apiserver.http.ApiResponse;
import java.io.IOException;

/** A streamed response that ends with the session of its user, and keeps it in use until then. */
record GuardedBody(SignIn signIn, String session, ApiResponse.Body body)
    implements ApiResponse.Body {
  @Override
  public void writeTo(ApiResponse.Sink sink) throws IOException, InterruptedException {
    body.writeTo(new GuardedSink(sink));
  }

  @Override
  public boolean isFinite() {
    return body.isFinite();
  }

  @Override
  public long memory() {
    return body.memory();
  }

  @Override
  public void onRefused(ApiResponse.Whole instead) {
    body.onRefused(instead);
  }

  private final class GuardedSink implements ApiResponse.Sink {
    private final ApiResponse.Sink sink;

    GuardedSink(ApiResponse.Sink sink) {
      this.sink = sink;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      check();
      sink.write(bytes);
    }

    @Override
    public void write(long size, ApiResponse.Piece piece) throws IOException {
      check();
      sink.write(size, piece);
    }

    @Override
    public void onClose(Runnable task) {
      sink.onClose(task);
    }

    private void check() throws IOException {
      if (!signIn.isSignedIn(session)) {
        throw new IOException("the session has ended");
      }
    }
  }
}
