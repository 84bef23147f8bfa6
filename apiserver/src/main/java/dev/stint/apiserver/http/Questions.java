package dev.stint.apiserver.http;

import dev.stint.apiserver.access.Reviews;
import dev.stint.apiserver.access.TokenRequests;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What is asked and answered without being kept: who may do what, who somebody is, tokens. */
final class Questions {
  private final Reviews reviews;
  private final TokenRequests tokens;
  private final InstantSource clock;

  Questions(Reviews reviews, TokenRequests tokens, InstantSource clock) {
    this.clock = clock;
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

  private Rendering rendering(Call call) {
    return Rendering.of(call, Accepted.Offer.WITHOUT_TABLES, clock);
  }

  Reply answer(Call call, Kind kind, String namespace) throws IOException {
    Rendering rendering = rendering(call);
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode question = Bodies.object(call, kind, parameters.validation());
    return rendering.one(
        201, KubeObject.of(reviews.answer(kind, question, call.user(), namespace)));
  }

  Reply token(Call call, ObjectRef account) throws IOException {
    Rendering rendering = rendering(call);
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode request =
        Bodies.object(call, "authentication.k8s.io/v1", "TokenRequest", parameters.validation());
    return rendering.one(201, KubeObject.of(tokens.answer(account, request)));
  }
}
