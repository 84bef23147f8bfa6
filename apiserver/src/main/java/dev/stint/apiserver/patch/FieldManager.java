package dev.stint.apiserver.patch;

public record FieldManager(
    String name, Operation operation, String subresource, String apiVersion) {
  public enum Operation {
    UPDATE,
    APPLY
  }
}
