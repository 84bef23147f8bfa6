package dev.stint.testkit;

/** The namespace of a test, which nobody else uses. Clients use it where none is named. */
public record TestNamespace(String name) {
  @Override
  public String toString() {
    return name;
  }
}
