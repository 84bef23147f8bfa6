package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.ListPage;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.table.Columns;
import dev.stint.apiserver.table.IncludeObject;
import dev.stint.apiserver.table.PartialMetadata;
import dev.stint.apiserver.table.Tables;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.YamlWriter;
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

  static ResponseRenderer of(Call call, InstantSource clock) {
    return of(call, ContentNegotiation.Offer.KEPT, clock);
  }

  /**
   * Returns a renderer for the form that a client wants.
   *
   * @param offer the available forms
   */
  public static ResponseRenderer of(
      Call call, ContentNegotiation.Offer offer, InstantSource clock) {
    return new ResponseRenderer(
        ContentNegotiation.of(call.header("Accept"), offer),
        IncludeObject.parse(call.query().text("includeObject")),
        ObjectView.of(call),
        columns(call),
        clock);
  }

  private static Columns columns(Call call) {
    return call.route() instanceof Route.Resource named
        ? named.served().map(ApiResource::columns).orElse(Columns.PLAIN)
        : Columns.PLAIN;
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
   * Returns one object in an event of a watch.
   *
   * @param shown the columns of tables
   * @param first true for the watch's first event, which includes a table's columns
   */
  byte[] bytes(KubeObject object, Columns shown, boolean first) {
    return switch (accepted.as()) {
      case OBJECT -> view.shown(object).bytes();
      case TABLE ->
          Json.bytes(
              first
                  ? Tables.of(shown, view.inTables(object), now(), include)
                  : Tables.withoutColumns(shown, view.inTables(object), now(), include));
      case METADATA, METADATA_LIST -> Json.bytes(PartialMetadata.of(object));
    };
  }

  /** Returns the approximate length of an object in an event of a watch. */
  long length(KubeObject object) {
    return accepted.as() == ContentNegotiation.As.OBJECT ? object.length() : object.knownLength();
  }

  private ObjectNode transformed(KubeObject object) {
    return switch (accepted.as()) {
      case OBJECT -> view.shown(object).tree();
      case TABLE -> Tables.of(columns.of(object), view.inTables(object), now(), include);
      case METADATA, METADATA_LIST -> PartialMetadata.of(object);
    };
  }

  /**
   * Returns a list, as a whole if it is short.
   *
   * @param metadata of the list
   * @param managed true if a table of Jobs has a column for their managers
   */
  ApiResponse list(
      ApiResource resource, ListPage page, ObjectNode metadata, BooleanSupplier managed) {
    ListForm form = form(resource, metadata, managed);
    ListBody body = new ListBody(page.items(), form);
    return page.length() <= ListBody.PIECE_BYTES
        ? new ApiResponse.Whole(200, accepted.mediaType(), body.whole(), List.of())
        : new ApiResponse.Streamed(200, accepted.mediaType(), body, List.of());
  }

  private ListForm form(ApiResource resource, ObjectNode metadata, BooleanSupplier managed) {
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
                  PartialMetadata.list(List.of(), metadata), "items", PartialMetadata::of);
          case OBJECT -> ListForm.plain(resource, metadata, view);
        };
    return accepted.yaml() ? json.inYaml() : json;
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
