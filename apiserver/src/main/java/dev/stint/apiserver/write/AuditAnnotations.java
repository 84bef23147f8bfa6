package dev.stint.apiserver.write;

import java.util.Map;
import java.util.TreeMap;

/** The annotations that admission adds to the audit record of one request. */
public final class AuditAnnotations {
  private final Map<String, String> annotations = new TreeMap<>();

  synchronized void add(Map<String, String> more) {
    annotations.putAll(more);
  }

  /** Returns the annotations by name. */
  public synchronized Map<String, String> asMap() {
    return Map.copyOf(annotations);
  }
}
