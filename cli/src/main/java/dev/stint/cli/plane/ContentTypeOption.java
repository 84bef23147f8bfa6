package dev.stint.cli.plane;

import dev.stint.cli.output.UserException;
import dev.stint.kube.ContentType;
import picocli.CommandLine.Option;

/** The encoding of requests to an API, with the flag name of Kubernetes' components; a mixin. */
public final class ContentTypeOption {
  @Option(
      names = "--kube-api-content-type",
      paramLabel = "TYPE",
      defaultValue = "application/vnd.kubernetes.protobuf",
      description =
          "Encoding of requests and answers: application/vnd.kubernetes.protobuf, with JSON for "
              + "what has no protobuf form and for an API that does not speak it, or "
              + "application/json (default: ${DEFAULT-VALUE}).")
  String type = "";

  /**
   * Returns the encoding to prefer.
   *
   * @throws UserException if it is unknown
   */
  public ContentType contentType() {
    return ContentType.of(type)
        .orElseThrow(() ->
            new UserException(
                "--kube-api-content-type: \"%s\" is neither %s nor %s"
                    .formatted(
                        type, ContentType.PROTOBUF.mediaType(), ContentType.JSON.mediaType())));
  }
}
