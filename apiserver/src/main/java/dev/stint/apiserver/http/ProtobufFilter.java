package dev.stint.apiserver.http;

import dev.stint.apiserver.protobuf.ProtobufDocument;
import dev.stint.model.Json;

/** Lets all else see JSON where a client sends protobuf. */
public final class ProtobufFilter {
  private ProtobufFilter() {}

  /** The same request; one with a protobuf body has a JSON body instead. Patches have no such. */
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
        call.user(),
        call.options(),
        call.warnings());
  }

  private static byte[] json(byte[] protobuf) {
    return protobuf.length == 0 ? protobuf : Json.bytes(ProtobufDocument.read(protobuf));
  }
}
