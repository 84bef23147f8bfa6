package dev.stint.kube;

import dev.stint.cluster.protobuf.ProtobufDocument;
import java.util.Arrays;
import java.util.Optional;

/** The encoding that the API is asked for, where it has the choice. */
public enum ContentType {
  JSON("application/json"),
  /** Protobuf for the kinds that have it, and JSON for all others. */
  PROTOBUF(ProtobufDocument.MEDIA_TYPE);

  private final String mediaType;

  ContentType(String mediaType) {
    this.mediaType = mediaType;
  }

  /** Returns the type of that name; empty if there is none. */
  public static Optional<ContentType> of(String mediaType) {
    return Arrays.stream(values()).filter(type -> type.mediaType.equals(mediaType)).findFirst();
  }

  /** Returns the name in HTTP headers. */
  public String mediaType() {
    return mediaType;
  }

  /** Returns the types that an answer may have, the preferred one first. */
  String accepted() {
    return this == JSON ? mediaType : mediaType + "," + JSON.mediaType;
  }
}
