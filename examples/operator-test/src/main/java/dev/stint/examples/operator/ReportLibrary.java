package dev.stint.examples.operator;

/**
 * The place where finished reports are published. It is outside of Kubernetes, so the operator has
 * to withdraw reports that are deleted: garbage collection cannot. Both methods may be called twice
 * for the same report.
 */
public interface ReportLibrary {
  void publish(String report);

  void withdraw(String report);
}
