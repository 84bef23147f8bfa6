package dev.stint.apiserver.http.view;

import dev.stint.apiserver.ListPage;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.http.view.ContentNegotiation.Format;
import dev.stint.apiserver.table.Columns;
import dev.stint.apiserver.table.IncludeObject;
import dev.stint.apiserver.table.PartialObjectMetadata;
import dev.stint.apiserver.table.Tables;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.StatusObjects;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.cluster.protobuf.ProtobufEvents;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.YamlWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * Renders objects in the form that a client wants.
 *
 * @param accepted the form
 * @param view the representation of stored objects
 * @param columns of tables
 * @param include the content of a table's rows, by the parameter {@code includeObject}
 */
public record ResponseRenderer(
    ContentNegotiation accepted,
    IncludeObject include,
    ObjectView view,
    Columns columns,
    InstantSource clock) {

  public static ResponseRenderer of(Call call, InstantSource clock) {
    return of(call, ContentNegotiation.Offer.KEPT, clock);
  }

  /**
   * Returns a renderer for the form that a client wants.
   *
   * @param offer the available forms
   */
  public static ResponseRenderer of(
      Call call, ContentNegotiation.Offer offer, InstantSource clock) {
    ObjectView view = ObjectView.of(call);
    return new ResponseRenderer(
        ContentNegotiation.of(call.header("Accept"), offer, hasMessage(call, view)),
        IncludeObject.parse(call.query().text("includeObject")),
        view,
        columns(call),
        clock);
  }

  /**
   * True if the objects of a request have a protobuf form. Custom resources have none, whatever
   * their kind is called; their scales have one.
   */
  private static boolean hasMessage(Call call, ObjectView view) {
    if (!(call.route() instanceof Route.Resource named) || named.served().isEmpty()) {
      return true;
    }
    Kind shown = view.kind(named.served().get().shown());
    return !(view instanceof CustomResourceView)
        && ProtobufDocument.hasKind(shown.apiVersion(), shown.kind());
  }

  private static Columns columns(Call call) {
    return call.route() instanceof Route.Resource named
        ? named.served().map(ApiResource::columns).orElse(Columns.PLAIN)
        : Columns.PLAIN;
  }

  public boolean isTable() {
    return accepted.as() == ContentNegotiation.As.TABLE;
  }

  public ApiResponse.Whole one(int code, KubeObject object) {
    return accepted.as() == ContentNegotiation.As.OBJECT && accepted.format() != Format.YAML
        ? new ApiResponse.Whole(code, accepted.mediaType(), document(object), List.of())
        : encoded(code, transformed(object));
  }

  /** Returns an object as it is in JSON or protobuf, for all who want it so. */
  private byte[] document(KubeObject object) {
    KubeObject shown = view.shown(object);
    return accepted.format() == Format.PROTOBUF
        ? shown.encoded(ProtobufDocument::write)
        : shown.bytes();
  }

  /**
   * Writes an event of a watch.
   *
   * @param shown the columns of tables
   * @param first true for the watch's first event, which includes a table's columns
   */
  public void event(
      ByteArrayOutputStream out, String type, KubeObject object, Columns shown, boolean first) {
    event(
        out,
        type,
        switch (accepted.as()) {
          case OBJECT -> document(object);
          case TABLE ->
              bytes(
                  first
                      ? Tables.of(shown, view.inTables(object), now(), include)
                      : Tables.withoutColumns(shown, view.inTables(object), now(), include));
          case METADATA, METADATA_LIST -> bytes(metadata(object));
        });
  }

  /** Returns the event that ends a watch. */
  public byte[] error(ClusterException cause) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    event(out, "ERROR", bytes(StatusObjects.of(cause)));
    return out.toByteArray();
  }

  private void event(ByteArrayOutputStream out, String type, byte[] document) {
    if (accepted.format() == Format.PROTOBUF) {
      out.writeBytes(ProtobufEvents.start(type, document.length));
      out.writeBytes(document);
    } else {
      out.writeBytes(("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8));
      out.writeBytes(document);
      out.writeBytes("}\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Returns the approximate length of an object in an event of a watch. */
  public long length(KubeObject object) {
    return accepted.as() == ContentNegotiation.As.OBJECT ? object.length() : object.knownLength();
  }

  private ObjectNode metadata(KubeObject object) {
    return PartialObjectMetadata.of(view.isConverted() ? view.shown(object) : object);
  }

  private ObjectNode transformed(KubeObject object) {
    return switch (accepted.as()) {
      case OBJECT -> view.shown(object).tree();
      case TABLE -> Tables.of(columns.of(object), view.inTables(object), now(), include);
      case METADATA, METADATA_LIST -> metadata(object);
    };
  }

  /**
   * Returns a list, as a whole if it is short.
   *
   * @param metadata of the list
   * @param managed true if a table of Jobs has a column for their managers
   */
  public ApiResponse list(
      ApiResource resource, ListPage page, ObjectNode metadata, BooleanSupplier managed) {
    ListForm form = form(resource, metadata, managed);
    ListBody body = new ListBody(page, form, view);
    if (view.isConverted()) {
      body.prepare();
    }
    return page.length() <= ListBody.PIECE_BYTES
        ? new ApiResponse.Whole(200, accepted.mediaType(), body.whole(), List.of())
        : new ApiResponse.Streamed(200, accepted.mediaType(), body, List.of());
  }

  private ListForm form(ApiResource resource, ObjectNode metadata, BooleanSupplier managed) {
    if (accepted.format() == Format.PROTOBUF) {
      return protobuf(resource, metadata);
    }
    ListForm json =
        switch (accepted.as()) {
          case TABLE -> {
            Columns all =
                resource.shown().equals(Kind.JOB) && managed.getAsBoolean()
                    ? columns.withManager()
                    : columns;
            yield ListForm.json(
                Tables.of(all, List.of(), metadata, now(), include),
                "rows",
                object -> Tables.row(all, view.inTables(object), now(), include));
          }
          case METADATA, METADATA_LIST ->
              ListForm.json(
                  PartialObjectMetadata.list(List.of(), metadata), "items", this::metadata);
          case OBJECT -> ListForm.plain(resource, metadata, view);
        };
    return accepted.format() == Format.YAML ? json.inYaml() : json;
  }

  private ListForm protobuf(ApiResource resource, ObjectNode metadata) {
    return accepted.as() == ContentNegotiation.As.OBJECT
        ? new ListForm.ProtobufForm(
            resource.shown().apiVersion(),
            resource.listKind(),
            metadata,
            object -> view.shown(object).tree())
        : new ListForm.ProtobufForm(
            PartialObjectMetadata.API_VERSION,
            PartialObjectMetadata.LIST_KIND,
            metadata,
            this::metadata);
  }

  public ApiResponse.Whole encoded(int code, ObjectNode tree) {
    return new ApiResponse.Whole(code, accepted.mediaType(), bytes(tree), List.of());
  }

  private byte[] bytes(ObjectNode tree) {
    return switch (accepted.format()) {
      case JSON -> Json.bytes(tree);
      case YAML -> YamlWriter.text(tree).getBytes(StandardCharsets.UTF_8);
      case PROTOBUF -> ProtobufDocument.write(tree);
    };
  }

  private Instant now() {
    return clock.instant();
  }
}
