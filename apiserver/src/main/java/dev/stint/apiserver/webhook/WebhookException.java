package dev.stint.apiserver.webhook;

/** The failure of a call to a webhook. Its message is shown to clients. */
public final class WebhookException extends Exception {
  private static final long serialVersionUID = 1L;

  public WebhookException(String message) {
    super(message);
  }

  WebhookException(String message, Throwable cause) {
    super(message, cause);
  }
}
