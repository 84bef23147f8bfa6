package dev.stint.apiserver.http;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.Page;
import dev.stint.apiserver.Preconditions;
import dev.stint.apiserver.Registry;
import dev.stint.apiserver.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Deletions, of one object and of many. */
final class Deletes {
  private static final String ORPHANING =
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background"
          + " to remove them or set propagationPolicy=Orphan to suppress this warning";

  private final ApiServer api;
  private final InstantSource clock;

  Deletes(ApiServer api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  /** What a deletion asks for; the body's word holds over the query's. */
  private record Wanted(
      Preconditions preconditions,
      @Nullable Long gracePeriodSeconds,
      @Nullable Propagation propagation,
      boolean dryRun) {

    DeleteOptions options(Propagation otherwise) {
      return new DeleteOptions(
          preconditions.uid(), gracePeriodSeconds, propagation == null ? otherwise : propagation);
    }
  }

  Reply delete(Call call, ObjectRef ref) throws IOException {
    Rendering rendering = Rendering.of(call, clock);
    Wanted wanted = wanted(call);
    warn(call, ref.kind(), wanted);
    Registry.Changed changed = Waiting.on(delete(ref, wanted));
    return changed.removed() && !returnsWhatItRemoves(ref.kind())
        ? rendering.encoded(200, success(ref, changed.object().uid()))
        : rendering.one(200, changed.object());
  }

  Reply deleteCollection(Call call, Kind kind, @Nullable String namespace) throws IOException {
    Rendering rendering = Rendering.of(call, clock);
    ListParameters parameters =
        ListParameters.of(View.of(call).kind(kind), "", call.query(), false);
    Wanted wanted = wanted(call);
    warn(call, kind, wanted);
    Page page =
        Waiting.on(
            api.registry().list(parameters.query(kind, namespace, api.registry().revision())));
    List<CompletableFuture<Registry.Changed>> deletions =
        page.items().stream().map(item -> delete(item.ref(), wanted)).toList();
    List<KubeObject> deleted = new ArrayList<>();
    deletions.forEach(deletion -> ended(deletion).ifPresent(deleted::add));
    return rendering.list(
        kind, deleted, Json.object().put("resourceVersion", Long.toString(page.revision())));
  }

  /** Warns whoever deletes Jobs and does not say what becomes of their pods. */
  private static void warn(Call call, Kind kind, Wanted wanted) {
    if (wanted.propagation() == null && kind.equals(Kind.JOB)) {
      call.warnings().add(List.of(ORPHANING));
    }
  }

  /** What was deleted; nothing where somebody else was faster. */
  private static java.util.Optional<KubeObject> ended(
      CompletableFuture<Registry.Changed> deletion) {
    try {
      return java.util.Optional.of(Waiting.on(deletion).object());
    } catch (ClusterException failed) {
      if (failed.reason() == Reason.NOT_FOUND) {
        return java.util.Optional.empty();
      }
      throw failed;
    }
  }

  private CompletableFuture<Registry.Changed> delete(ObjectRef ref, Wanted wanted) {
    return api.registry()
        .delete(
            ref,
            wanted.preconditions(),
            wanted.options(api.registry().propagation(ref.kind())),
            WriteOptions.PLAIN.dry(wanted.dryRun()));
  }

  private static boolean returnsWhatItRemoves(Kind kind) {
    return kind.equals(Kind.POD) || kind.equals(Kind.SERVICE_ACCOUNT);
  }

  private static ObjectNode success(ObjectRef ref, String uid) {
    ObjectNode status = success();
    ObjectNode details = status.putObject("details");
    details.put("name", ref.name());
    if (!ref.kind().group().isEmpty()) {
      details.put("group", ref.kind().group());
    }
    details.put("kind", ref.kind().plural());
    details.put("uid", uid);
    return status;
  }

  /** That it is done, and nothing to show. */
  static ObjectNode success() {
    ObjectNode status = Json.object();
    status.put("kind", "Status");
    status.put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Success");
    return status;
  }

  private static Wanted wanted(Call call) throws IOException {
    ObjectNode body = body(call);
    Query query = call.query();
    List<FieldError> faults = new ArrayList<>();
    ObjectNode preconditions = Json.objectAt(body, "preconditions");
    Long grace = Json.longInteger(body, "gracePeriodSeconds");
    boolean dryRun = WriteParameters.of(call, "DeleteOptions").options().dryRun();
    Wanted wanted =
        new Wanted(
            new Preconditions(
                Json.text(preconditions, "uid"), Json.text(preconditions, "resourceVersion")),
            grace != null ? grace : query.integer("gracePeriodSeconds"),
            propagation(body, query, faults),
            dryRun || !body.path("dryRun").isEmpty());
    WriteParameters.refuse("DeleteOptions", faults);
    return wanted;
  }

  private static ObjectNode body(Call call) throws IOException {
    byte[] text = call.body().read();
    return text.length == 0
        ? Json.object()
        : Bodies.object(
            call.with(() -> text),
            "v1",
            "DeleteOptions",
            new Bodies.FieldValidation(Bodies.FieldValidation.Mode.IGNORE, call.warnings()));
  }

  private static @Nullable Propagation propagation(
      ObjectNode body, Query query, List<FieldError> faults) {
    String policy = Json.text(body, "propagationPolicy");
    String named = policy != null ? policy : query.text("propagationPolicy");
    Boolean orphan = Json.bool(body, "orphanDependents");
    if (orphan == null && query.has("orphanDependents")) {
      orphan = query.flag("orphanDependents");
    }
    if (orphan != null && !named.isEmpty()) {
      faults.add(
          new FieldError(
              "propagationPolicy",
              FieldError.Type.INVALID,
              "orphanDependents and propagationPolicy cannot be both set"));
    }
    return switch (named) {
      case "" -> orphan == null ? null : orphan ? Propagation.ORPHAN : Propagation.BACKGROUND;
      case "Background" -> Propagation.BACKGROUND;
      case "Foreground" -> Propagation.FOREGROUND;
      case "Orphan" -> Propagation.ORPHAN;
      default -> {
        faults.add(
            new FieldError(
                "propagationPolicy",
                FieldError.Type.NOT_SUPPORTED,
                "is one of Background, Foreground, Orphan",
                Json.text(named)));
        yield null;
      }
    };
  }
}
