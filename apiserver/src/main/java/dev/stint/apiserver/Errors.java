package dev.stint.apiserver;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What the API says when it does not do as asked, in Kubernetes' words. */
final class Errors {
  private Errors() {}

  static ClusterException notFound(ObjectRef ref) {
    return new ClusterException(Reason.NOT_FOUND, named(ref) + " not found");
  }

  static ClusterException alreadyExists(ObjectRef ref) {
    return new ClusterException(Reason.ALREADY_EXISTS, named(ref) + " already exists");
  }

  static ClusterException modified(ObjectRef ref) {
    return conflict(
        ref,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  static ClusterException otherUid(ObjectRef ref, String wanted, String found) {
    return conflict(
        ref,
        "Precondition failed: UID in precondition: %s, UID in object meta: %s"
            .formatted(wanted, found));
  }

  static ClusterException terminatingNamespace(ObjectRef ref) {
    return new ClusterException(
        Reason.FORBIDDEN,
        "%s is forbidden: unable to create new content in namespace %s because it is being terminated"
            .formatted(named(ref), ref.namespace()));
  }

  static ClusterException badRequest(String message) {
    return new ClusterException(Reason.BAD_REQUEST, message);
  }

  static ClusterException gone(String revision) {
    return new ClusterException(Reason.GONE, "too old resource version: " + revision);
  }

  static ClusterException unavailable(Throwable cause) {
    String message = Objects.requireNonNullElse(cause.getMessage(), "the store is not available");
    return new ClusterException(Reason.UNAVAILABLE, message, List.of(), cause);
  }

  static ClusterException internal(Throwable fault) {
    return new ClusterException(
        Reason.INTERNAL, "Internal error occurred: " + fault, List.of(), fault);
  }

  /** 422 with all faults, or 400 where the document could not even be decoded. */
  static ClusterException invalid(Kind kind, String name, List<FieldError> faults) {
    List<FieldError> malformed = faults.stream().filter(f -> f.type().malformed()).toList();
    if (!malformed.isEmpty()) {
      String message =
          "%s in version \"%s\" cannot be handled as a %s: strict decoding error: %s"
              .formatted(kind.kind(), kind.version(), kind.kind(), joined(malformed));
      return new ClusterException(Reason.BAD_REQUEST, message, malformed);
    }
    String all = faults.size() == 1 ? faults.get(0).toString() : "[" + joined(faults) + "]";
    String type = kind.group().isEmpty() ? kind.kind() : kind.kind() + "." + kind.group();
    return new ClusterException(
        Reason.INVALID, "%s \"%s\" is invalid: %s".formatted(type, name, all), faults);
  }

  private static ClusterException conflict(ObjectRef ref, String why) {
    return new ClusterException(
        Reason.CONFLICT, "Operation cannot be fulfilled on " + named(ref) + ": " + why);
  }

  private static String named(ObjectRef ref) {
    return "%s \"%s\"".formatted(resource(ref.kind()), ref.name());
  }

  private static String resource(Kind kind) {
    return kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group();
  }

  private static String joined(List<FieldError> faults) {
    return faults.stream().map(FieldError::toString).collect(Collectors.joining(", "));
  }
}
