package dev.stint.apiserver.http;

import dev.stint.apiserver.access.Reviews;
import dev.stint.apiserver.access.TokenRequests;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What is asked and answered without being kept: who may do what, who somebody is, tokens. */
final class Questions {
  private final Reviews reviews;
  private final TokenRequests tokens;

  Questions(Reviews reviews, TokenRequests tokens) {
    this.reviews = reviews;
    this.tokens = tokens;
  }

  /** The kind of question that a path names. */
  static Optional<Kind> kind(Route.Objects route) {
    return Reviews.KINDS.stream()
        .filter(kind ->
            kind.group().equals(route.group())
                && kind.version().equals(route.version())
                && kind.plural().equals(route.resource())
                && kind.namespaced() != route.namespace().isEmpty()
                && route.name().isEmpty())
        .findFirst();
  }

  Reply answer(Call call, Kind kind, String namespace) throws IOException {
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode question = Bodies.object(call, kind, parameters.validation());
    return Reply.json(201, reviews.answer(kind, question, call.user(), namespace));
  }

  Reply token(Call call, ObjectRef account) throws IOException {
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode request =
        Bodies.object(call, "authentication.k8s.io/v1", "TokenRequest", parameters.validation());
    return Reply.json(201, tokens.answer(account, request));
  }
}
