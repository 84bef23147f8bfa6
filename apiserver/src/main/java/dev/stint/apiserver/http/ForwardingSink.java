package dev.stint.apiserver.http;

import java.io.IOException;

/** A sink that stands before another one. All that a subclass does not change is forwarded. */
public abstract class ForwardingSink implements ApiResponse.Sink {
  private final ApiResponse.Sink sink;

  /**
   * @param sink receives what is forwarded
   */
  protected ForwardingSink(ApiResponse.Sink sink) {
    this.sink = sink;
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    sink.write(bytes);
  }

  @Override
  public void write(long size, ApiResponse.Piece piece) throws IOException {
    sink.write(size, piece);
  }

  @Override
  public boolean takes(long bytes) {
    return sink.takes(bytes);
  }

  @Override
  public void givesBack(long bytes) {
    sink.givesBack(bytes);
  }

  @Override
  public void onClose(Runnable task) {
    sink.onClose(task);
  }
}
