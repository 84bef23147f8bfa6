package dev.stint.apiserver.audit;

/** The detail of an audit event, from nothing to everything. */
enum AuditLevel {
  NONE("None"),
  METADATA("Metadata"),
  REQUEST("Request"),
  REQUEST_RESPONSE("RequestResponse");

  private final String word;

  AuditLevel(String word) {
    this.word = word;
  }

  /** Returns the name in policies and events. */
  String word() {
    return word;
  }

  /** True if this level tells at least as much as another one. */
  boolean includes(AuditLevel other) {
    return compareTo(other) >= 0;
  }
}
