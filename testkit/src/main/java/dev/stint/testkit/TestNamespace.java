package dev.stint.testkit;

/** The namespace of one test. Clients use it by default. */
public record TestNamespace(String name) {
  @Override
  public String toString() {
    return name;
  }
}
