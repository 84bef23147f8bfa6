package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.http.handler.RequestBodies.FieldValidation;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The parameters that all writes share.
 *
 * @param validation of the fields; belongs to one request
 */
public record WriteParameters(WriteOptions options, FieldValidation validation) {
  private static final int LONGEST_MANAGER = 128;

  /**
   * Reads the parameters. Throws {@code INVALID} if one has no valid value.
   *
   * @param kind of the options, such as "CreateOptions"
   */
  public static WriteParameters of(Call call, String kind) throws ClusterException {
    List<FieldError> faults = new ArrayList<>();
    List<String> dryRun = call.query().all("dryRun");
    checkDryRun(dryRun, faults);
    FieldValidation.Mode mode = mode(call.query(), faults);
    String manager = call.query().text("fieldManager");
    if (manager.length() > LONGEST_MANAGER) {
      faults.add(
          new FieldError(
              "fieldManager",
              FieldError.Type.TOO_LONG,
              "may have " + LONGEST_MANAGER + " characters at most"));
    }
    if (manager.chars().anyMatch(Character::isISOControl)) {
      faults.add(
          new FieldError(
              "fieldManager",
              FieldError.Type.INVALID,
              "may contain only printable characters",
              Json.text(manager)));
    }
    refuse(kind, faults);
    return new WriteParameters(
        call.options().dry(!dryRun.isEmpty()), new FieldValidation(mode, call.warnings()));
  }

  static void refuse(String kind, List<FieldError> faults) {
    if (!faults.isEmpty()) {
      throw ClusterException.refusing(new ObjectRef(options(kind), "", ""), faults);
    }
  }

  /** Returns a kind for the options, since the API reports their faults like those of objects. */
  private static Kind options(String kind) {
    return new Kind("meta.k8s.io", "v1", kind, kind.toLowerCase(Locale.ROOT), false);
  }

  static void checkDryRun(List<String> values, List<FieldError> faults) {
    values.stream()
        .filter(value -> !value.equals("All"))
        .forEach(value ->
            faults.add(
                new FieldError(
                    "dryRun",
                    FieldError.Type.NOT_SUPPORTED,
                    "must be All or omitted",
                    Json.text(value))));
  }

  private static FieldValidation.Mode mode(QueryParameters query, List<FieldError> faults) {
    String value = query.text("fieldValidation");
    return switch (value) {
      case "Ignore" -> FieldValidation.Mode.IGNORE;
      case "", "Warn" -> FieldValidation.Mode.WARN;
      case "Strict" -> FieldValidation.Mode.STRICT;
      default -> {
        faults.add(
            new FieldError(
                "fieldValidation",
                FieldError.Type.NOT_SUPPORTED,
                "must be one of Ignore, Warn, Strict",
                Json.text(value)));
        yield FieldValidation.Mode.WARN;
      }
    };
  }
}
