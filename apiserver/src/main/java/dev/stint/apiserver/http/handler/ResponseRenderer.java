package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.table.Columns;
import dev.stint.apiserver.table.IncludeObject;
import dev.stint.apiserver.table.PartialMetadata;
import dev.stint.apiserver.table.Tables;
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
 * Objects in the form that a client wants.
 *
 * @param accepted the form
 * @param view how kept objects look
 * @param include what a table's rows carry, as the parameter {@code includeObject} has it
 */
public record ResponseRenderer(
    ContentNegotiation accepted, IncludeObject include, ObjectView view, InstantSource clock) {

  public static ResponseRenderer of(Call call, InstantSource clock) {
    return of(call, ContentNegotiation.Offer.KEPT, clock);
  }

  /**
   * The form that a client wants.
   *
   * @param offer what there is to choose from
   */
  public static ResponseRenderer of(
      Call call, ContentNegotiation.Offer offer, InstantSource clock) {
    return new ResponseRenderer(
        ContentNegotiation.of(call.header("Accept"), offer),
        IncludeObject.parse(call.query().text("includeObject")),
        ObjectView.of(call),
        clock);
  }

  boolean isTable() {
    return accepted.as() == ContentNegotiation.As.TABLE;
  }

  ApiResponse.Whole one(int code, KubeObject object) {
    return accepted.equals(ContentNegotiation.PLAIN)
        ? new ApiResponse.Whole(code, ApiResponse.JSON, view.shown(object).bytes(), List.of())
        : encoded(code, transformed(object));
  }

  /**
   * One object, as an event of a watch carries it.
   *
   * @param columns of tables
   * @param first whether it is the watch's first event, which tells a table's columns
   */
  byte[] bytes(KubeObject object, Columns columns, boolean first) {
    return switch (accepted.as()) {
      case OBJECT -> view.shown(object).bytes();
      case TABLE ->
          Json.bytes(
              first
                  ? Tables.of(columns, object, now(), include)
                  : Tables.withoutColumns(columns, object, now(), include));
      case METADATA, METADATA_LIST -> Json.bytes(PartialMetadata.of(object));
    };
  }

  private ObjectNode transformed(KubeObject object) {
    return switch (accepted.as()) {
      case OBJECT -> view.shown(object).tree();
      case TABLE -> Tables.of(object, now(), include);
      case METADATA, METADATA_LIST -> PartialMetadata.of(object);
    };
  }

  /**
   * A list.
   *
   * @param metadata of the list
   * @param managed whether a table of Jobs is to say who manages each
   */
  ApiResponse.Whole list(
      Kind kind, List<KubeObject> items, ObjectNode metadata, BooleanSupplier managed) {
    return switch (accepted.as()) {
      case TABLE -> {
        Columns columns = Columns.of(kind, kind.equals(Kind.JOB) && managed.getAsBoolean());
        yield encoded(200, Tables.of(columns, items, metadata, now(), include));
      }
      case METADATA, METADATA_LIST -> encoded(200, PartialMetadata.list(items, metadata));
      case OBJECT ->
          accepted.yaml()
              ? encoded(200, Json.parse(plainList(kind, items, metadata)))
              : new ApiResponse.Whole(
                  200, ApiResponse.JSON, plainList(kind, items, metadata), List.of());
    };
  }

  /** Written piece by piece, as the items are bytes already. The list tells their kind. */
  private byte[] plainList(Kind kind, List<KubeObject> items, ObjectNode metadata) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1024 + items.size() * 1024);
    ObjectNode head = Json.object();
    head.put("kind", kind.kind() + "List");
    head.put("apiVersion", view.kind(kind).apiVersion());
    head.set("metadata", metadata);
    byte[] start = Json.bytes(head);
    out.write(start, 0, start.length - 1);
    out.writeBytes(",\"items\":[".getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < items.size(); i++) {
      if (i > 0) {
        out.write(',');
      }
      view.shown(items.get(i)).writeItem(out);
    }
    out.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  public ApiResponse.Whole encoded(int code, ObjectNode tree) {
    byte[] body =
        accepted.yaml() ? YamlWriter.text(tree).getBytes(StandardCharsets.UTF_8) : Json.bytes(tree);
    return new ApiResponse.Whole(code, accepted.mediaType(), body, List.of());
  }

  private Instant now() {
    return clock.instant();
  }
}
