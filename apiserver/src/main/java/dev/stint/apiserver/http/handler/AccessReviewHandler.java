package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.access.AccessReviews;
import dev.stint.apiserver.access.TokenRequests;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.http.view.ContentNegotiation;
import dev.stint.apiserver.http.view.ResponseRenderer;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Handles requests whose objects are not stored: access reviews and tokens. */
public final class AccessReviewHandler {
  private final AccessReviews reviews;
  private final TokenRequests tokens;
  private final InstantSource clock;

  public AccessReviewHandler(AccessReviews reviews, TokenRequests tokens, InstantSource clock) {
    this.clock = clock;
    this.reviews = reviews;
    this.tokens = tokens;
  }

  /** Returns the kind of review that a path names. */
  public static Optional<Kind> kind(Route.Resource route) {
    return AccessReviews.KINDS.stream()
        .filter(kind ->
            kind.group().equals(route.group())
                && kind.version().equals(route.version())
                && kind.plural().equals(route.resource())
                && kind.namespaced() != route.namespace().isEmpty()
                && route.name().isEmpty())
        .findFirst();
  }

  private ResponseRenderer rendering(Call call) {
    return ResponseRenderer.of(call, ContentNegotiation.Offer.WITHOUT_TABLES, clock);
  }

  public ApiResponse answer(Call call, Kind kind, String namespace) throws IOException {
    ResponseRenderer rendering = rendering(call);
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode question = RequestBodies.object(call, kind, parameters.validation());
    return rendering.one(
        201, KubeObject.of(reviews.answer(kind, question, call.user(), namespace)));
  }

  public ApiResponse token(Call call, ObjectRef account) throws IOException {
    ResponseRenderer rendering = rendering(call);
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode request =
        RequestBodies.object(
            call, "authentication.k8s.io/v1", "TokenRequest", parameters.validation());
    return rendering.one(
        201,
        KubeObject.of(tokens.answer(account, request, text -> call.warnings().add(List.of(text)))));
  }
}
