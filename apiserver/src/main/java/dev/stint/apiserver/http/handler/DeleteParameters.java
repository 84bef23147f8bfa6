package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The options of a deletion.
 *
 * @param propagation null if not given
 * @param accepted true if the answer is 202 while the object stays for now, which only {@code
 *     orphanDependents: false} asks for
 */
public record DeleteParameters(
    Preconditions preconditions,
    @Nullable Long gracePeriodSeconds,
    @Nullable Propagation propagation,
    boolean dryRun,
    boolean accepted) {
  private static final String KIND = "DeleteOptions";

  /** Returns the options of a request: from its body if it has one, else from its query. */
  static DeleteParameters of(Call call) throws IOException {
    byte[] body = call.body().read();
    return of(body.length == 0 ? options(call.query()) : options(call.with(() -> body)));
  }

  /** Returns the options in {@code DeleteOptions}. Throws {@code INVALID} if they are not valid. */
  public static DeleteParameters of(@Nullable ObjectNode given) {
    ObjectNode options = given == null ? Json.object() : given;
    List<FieldError> faults = new ArrayList<>();
    Propagation propagation = propagation(options, faults);
    List<String> dryRun = texts(Json.arrayAt(options, "dryRun"));
    WriteParameters.checkDryRun(dryRun, faults);
    WriteParameters.refuse(KIND, faults);
    ObjectNode preconditions = Json.objectAt(options, "preconditions");
    return new DeleteParameters(
        new Preconditions(
            Json.text(preconditions, "uid"), Json.text(preconditions, "resourceVersion")),
        Json.longInteger(options, "gracePeriodSeconds"),
        propagation,
        !dryRun.isEmpty(),
        Boolean.FALSE.equals(Json.bool(options, "orphanDependents")));
  }

  public DeleteOptions options() {
    return new DeleteOptions(
        preconditions.uid(), preconditions.resourceVersion(), gracePeriodSeconds, propagation);
  }

  /** Reads the body, in whose {@code apiVersion} every group has a version of its own. */
  private static ObjectNode options(Call call) throws IOException {
    return RequestBodies.object(
        call,
        "v1",
        KIND,
        null,
        new RequestBodies.FieldValidation(
            RequestBodies.FieldValidation.Mode.IGNORE, call.warnings()));
  }

  /** Returns the options in a query, in the same form. */
  private static ObjectNode options(QueryParameters query) {
    ObjectNode options = Json.object();
    query.all("dryRun").forEach(options.putArray("dryRun")::add);
    if (query.names("gracePeriodSeconds")) {
      options.put("gracePeriodSeconds", query.integer("gracePeriodSeconds"));
    }
    if (query.names("orphanDependents")) {
      options.put("orphanDependents", query.flag("orphanDependents"));
    }
    if (query.names("propagationPolicy")) {
      options.put("propagationPolicy", query.text("propagationPolicy"));
    }
    if (query.has("uid")) {
      options.putObject("preconditions").put("uid", query.text("uid"));
    }
    return options;
  }

  private static List<String> texts(@Nullable ArrayNode array) {
    List<String> texts = new ArrayList<>();
    if (array != null) {
      for (JsonNode item : array) {
        texts.add(item.asString(""));
      }
    }
    return texts;
  }

  private static @Nullable Propagation propagation(ObjectNode options, List<FieldError> faults) {
    String policy = Json.text(options, "propagationPolicy");
    Boolean orphan = Json.bool(options, "orphanDependents");
    if (orphan != null && policy != null) {
      faults.add(
          new FieldError(
              "propagationPolicy",
              FieldError.Type.INVALID,
              "orphanDependents and deletionPropagation cannot be both set",
              Json.text(policy)));
    }
    return switch (policy) {
      case null -> orphan == null ? null : orphan ? Propagation.ORPHAN : Propagation.BACKGROUND;
      case "Background" -> Propagation.BACKGROUND;
      case "Foreground" -> Propagation.FOREGROUND;
      case "Orphan" -> Propagation.ORPHAN;
      default -> {
        faults.add(
            new FieldError(
                "propagationPolicy",
                FieldError.Type.NOT_SUPPORTED,
                "must be one of Background, Foreground, Orphan",
                Json.text(policy)));
        yield null;
      }
    };
  }
}
