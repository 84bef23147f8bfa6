package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.Registry;
import dev.stint.apiserver.UpdateTarget;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.view.ObjectView;
import dev.stint.apiserver.http.view.ResponseRenderer;
import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.apiserver.patch.FieldManager;
import dev.stint.apiserver.patch.JsonPatch;
import dev.stint.apiserver.patch.MergePatch;
import dev.stint.apiserver.patch.ServerSideApply;
import dev.stint.apiserver.patch.StrategicMergePatch;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Handles patches of every kind, and server-side apply. */
public final class PatchHandler {
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String MERGE = "application/merge-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";
  private static final Set<String> OPERATION = Set.of("op", "path", "from", "value");
  private static final String APPLY = "application/apply-patch+yaml";

  private final ApiServer api;
  private final InstantSource clock;

  public PatchHandler(ApiServer api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  public ApiResponse patch(Call call, ObjectRef ref, String subresource) throws IOException {
    if (call.contentType().equals(APPLY)) {
      return apply(call, ref, subresource);
    }
    ResponseRenderer rendering = ResponseRenderer.of(call, clock);
    WriteParameters parameters = WriteParameters.of(call, "PatchOptions");
    if (call.query().has("force")) {
      WriteParameters.refuse(
          "PatchOptions",
          List.of(
              new FieldError("force", FieldError.Type.FORBIDDEN, "is for server-side apply only")));
    }
    ObjectView view = ObjectView.of(call);
    Patch patch = patch(call, view.kind(ref.kind()));
    WriteOptions options =
        view.rules(parameters.options(), ref.kind())
            .by(FieldManagerNames.updating(call, view.object().kind(ref.kind()), subresource));
    KubeObject written =
        BlockingCall.on(
            api.registry()
                .update(
                    UpdateTarget.of(subresource),
                    ref,
                    Preconditions.NONE,
                    before -> {
                      ObjectNode wanted = patched(call, before, patch, view, ref, parameters);
                      OwnerWarnings.dropRepeated(wanted, call.warnings());
                      return wanted;
                    },
                    options));
    return rendering.one(200, written);
  }

  /**
   * A patch.
   *
   * @param change applies it to an object
   * @param faults its repeated and unknown members
   */
  private record Patch(UnaryOperator<ObjectNode> change, List<FieldError> faults) {}

  /**
   * Returns the patched object. Its name and revision, if the patch sets them, must match the
   * stored object's.
   */
  private static ObjectNode patched(
      Call call,
      ObjectNode before,
      Patch patch,
      ObjectView view,
      ObjectRef ref,
      WriteParameters how) {
    ObjectNode patched = patch.change().apply(view.shown(before));
    ObjectNode wanted =
        RequestBodies.decoded(
            call, patched, view.kind(ref.kind()), how.validation(), patch.faults());
    new Preconditions(null, Preconditions.of(wanted).resourceVersion())
        .check(ref, KubeObject.of(before));
    WriteHandler.setNamespace(wanted, ref.namespace());
    WriteHandler.requireName(wanted, ref.name());
    return view.kept(wanted, before);
  }

  private static Patch patch(Call call, Kind kind) throws IOException {
    return switch (call.contentType()) {
      case JSON_PATCH -> {
        Documents.Value value = RequestBodies.json(call);
        yield new Patch(
            before -> ofKind(JsonPatch.apply(before, value.tree()), kind), faults(value));
      }
      case MERGE -> {
        Documents.Value value = RequestBodies.json(call);
        ObjectNode patch = RequestBodies.object(value);
        yield new Patch(before -> ofKind(MergePatch.apply(before, patch), kind), value.faults());
      }
      case STRATEGIC -> {
        if (RequestBodies.isCustom(call)) {
          throw RequestBodies.unsupported(call, List.of(JSON_PATCH, MERGE, APPLY));
        }
        Documents.Value value = RequestBodies.json(call);
        ObjectNode patch = RequestBodies.object(value);
        ObjectSchema schema = Schema.ofKind(kind.apiVersion(), kind.kind()).orElse(null);
        yield new Patch(before -> StrategicMergePatch.apply(before, patch, schema), value.faults());
      }
      default ->
          throw RequestBodies.unsupported(call, List.of(JSON_PATCH, MERGE, STRATEGIC, APPLY));
    };
  }

  /** Returns the repeated members of a JSON patch, and those that no operation has. */
  private static List<FieldError> faults(Documents.Value patch) {
    List<String> texts = new ArrayList<>();
    patch.faults().forEach(fault -> texts.add("duplicate field \"" + fault.path() + '"'));
    for (int i = 0; i < patch.tree().size(); i++) {
      for (String name : patch.tree().path(i).propertyNames()) {
        if (!OPERATION.contains(name)) {
          texts.add("unknown field \"[" + i + "]." + name + '"');
        }
      }
    }
    return texts.stream()
        .map(text -> new FieldError("", FieldError.Type.REPEATED, "json patch " + text))
        .toList();
  }

  /** Returns the object, whose kind and version must be unchanged or absent. */
  private static ObjectNode ofKind(ObjectNode patched, Kind kind) {
    if (saysElse(patched.get("kind"), kind.kind())
        || saysElse(patched.get("apiVersion"), kind.apiVersion())) {
      throw RequestBodies.invalidPatch("the kind of an object cannot be changed");
    }
    return patched;
  }

  private static boolean saysElse(@Nullable JsonNode given, String wanted) {
    return given != null && !given.isNull() && !List.of("", wanted).contains(given.asString("-"));
  }

  private ApiResponse apply(Call call, ObjectRef ref, String subresource) throws IOException {
    ResponseRenderer rendering = ResponseRenderer.of(call, clock);
    WriteParameters parameters = WriteParameters.of(call, "PatchOptions");
    String name = fieldManager(call);
    ObjectView shown = ObjectView.of(call);
    ObjectView view = shown.object();
    ObjectNode intent =
        shown.configuration(RequestBodies.configuration(call, ref.kind(), parameters.validation()));
    WriteHandler.setNamespace(intent, ref.namespace());
    FieldManager manager = FieldManagerNames.applying(name, view.kind(ref.kind()), subresource);
    boolean force = call.query().flag("force");
    Instant now = clock.instant();
    Registry.Applied applied =
        BlockingCall.on(
            api.registry()
                .apply(
                    UpdateTarget.of(subresource),
                    ref,
                    live -> {
                      check(ref, intent, live);
                      return applied(call, ref.kind(), live, intent, manager, force, now);
                    },
                    view.rules(parameters.options(), ref.kind())));
    return rendering.one(applied.created() ? 201 : 200, applied.object());
  }

  private static String fieldManager(Call call) {
    String name = call.query().text("fieldManager");
    if (name.isEmpty()) {
      WriteParameters.refuse(
          "PatchOptions",
          List.of(
              new FieldError(
                  "fieldManager",
                  FieldError.Type.REQUIRED,
                  "is required for apply: it names the field manager")));
    }
    return name;
  }

  /**
   * Refuses a configuration of another object than the one that exists, or of an older state of it.
   *
   * @param live the object that exists; null for none
   */
  private static void check(ObjectRef ref, ObjectNode intent, @Nullable ObjectNode live) {
    if (live == null) {
      refuseUid(ref, intent);
      WriteHandler.requireName(intent, ref.name());
    } else {
      new Preconditions(null, Preconditions.of(intent).resourceVersion())
          .check(ref, KubeObject.of(live));
      WriteHandler.requireName(isNamed(intent) ? intent : live, ref.name());
    }
  }

  /**
   * True if a configuration names its object; one that is applied to an existing object need not.
   */
  private static boolean isNamed(ObjectNode intent) {
    return Json.text(Json.objectAt(intent, "metadata"), "name") != null;
  }

  /** Returns the object after an apply, decoded. */
  private static ObjectNode applied(
      Call call,
      Kind kind,
      @Nullable ObjectNode live,
      ObjectNode intent,
      FieldManager manager,
      boolean force,
      Instant now) {
    ObjectView view = ObjectView.of(call).object();
    ObjectNode shown = live == null ? null : view.shown(live);
    ObjectNode applied =
        ServerSideApply.apply(shown, intent, manager, force, now, RequestBodies.shape(call));
    if (live != null && applied == shown) {
      return live;
    }
    return view.kept(
        RequestBodies.decoded(call, applied, view.kind(kind), new FieldErrors()), live);
  }

  /**
   * Throws if a configuration that would create an object names a uid, since that means an existing
   * one.
   */
  private static void refuseUid(ObjectRef ref, ObjectNode intent) {
    String uid = Json.text(Json.objectAt(intent, "metadata"), "uid");
    if (uid != null && !uid.isEmpty()) {
      throw new ClusterException(
          ClusterException.Reason.CONFLICT,
          "Operation cannot be fulfilled on %s \"%s\": it does not exist, so its uid is not %s"
              .formatted(ref.kind().plural(), ref.name(), uid),
          List.of(),
          null,
          ref);
    }
  }
}
