package dev.stint.apiserver.http;

import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.model.Json;

/** Converts protobuf requests to JSON. */
public final class ProtobufFilter {
  private ProtobufFilter() {}

  /**
   * Returns the same request, with a protobuf body converted to JSON. Patches have no protobuf
   * form.
   */
  public static Call asJson(Call call) {
    if (!call.contentType().equals(ProtobufDocument.MEDIA_TYPE) || call.method().equals("PATCH")) {
      return call;
    }
    return new Call(
        call.method(),
        call.path(),
        call.query(),
        name ->
            name.equalsIgnoreCase("Content-Type") ? ApiResponse.JSON : call.headers().apply(name),
        () -> json(call.body().read()),
        call.route(),
        call.user(),
        call.options(),
        call.warnings(),
        call.annotations());
  }

  private static byte[] json(byte[] protobuf) {
    return protobuf.length == 0 ? protobuf : Json.bytes(ProtobufDocument.read(protobuf));
  }
}
