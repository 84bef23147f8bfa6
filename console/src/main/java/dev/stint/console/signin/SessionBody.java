package dev.stint.console.signin;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.ForwardingBody;
import dev.stint.apiserver.http.ForwardingSink;
import java.io.IOException;

/** A streamed response that ends with the session of its user, and keeps it in use until then. */
public final class SessionBody extends ForwardingBody {
  private final SignIn signIn;
  private final String session;

  public SessionBody(SignIn signIn, String session, ApiResponse.Body body) {
    super(body);
    this.signIn = signIn;
    this.session = session;
  }

  @Override
  public void writeTo(ApiResponse.Sink sink) throws IOException, InterruptedException {
    super.writeTo(new SessionSink(sink));
  }

  private final class SessionSink extends ForwardingSink {
    SessionSink(ApiResponse.Sink sink) {
      super(sink);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      check();
      super.write(bytes);
    }

    @Override
    public void write(long size, ApiResponse.Piece piece) throws IOException {
      check();
      super.write(size, piece);
    }

    private void check() throws IOException {
      if (!signIn.isSignedIn(session)) {
        throw new IOException("the session has ended");
      }
    }
  }
}
