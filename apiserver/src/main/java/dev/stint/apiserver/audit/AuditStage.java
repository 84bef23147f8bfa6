package dev.stint.apiserver.audit;

/** The points of a request's life at which an audit event is recorded. */
enum AuditStage {
  REQUEST_RECEIVED("RequestReceived"),
  RESPONSE_STARTED("ResponseStarted"),
  RESPONSE_COMPLETE("ResponseComplete"),
  PANIC("Panic");

  private final String word;

  AuditStage(String word) {
    this.word = word;
  }

  /** Returns the name in policies and events. */
  String word() {
    return word;
  }
}
