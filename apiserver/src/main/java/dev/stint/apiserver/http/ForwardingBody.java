package dev.stint.apiserver.http;

import java.io.IOException;

/** A body that stands before another one. All that a subclass does not change is forwarded. */
public abstract class ForwardingBody implements ApiResponse.Body {
  private final ApiResponse.Body body;

  /**
   * @param body receives what is forwarded
   */
  protected ForwardingBody(ApiResponse.Body body) {
    this.body = body;
  }

  @Override
  public void writeTo(ApiResponse.Sink sink) throws IOException, InterruptedException {
    body.writeTo(sink);
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
}
