package dev.stint.apiserver.http;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.audit.AuditRecord;
import dev.stint.apiserver.audit.Auditor;
import java.io.IOException;
import java.util.Locale;

/**
 * Routes requests for a {@link WebApp} to it, and all others to the next filter. The application's
 * own requests are audited as those of the user {@code stint:NAME}, or of nobody if it refuses
 * them.
 */
public final class WebAppFilter implements RequestFilter {
  private final WebApp app;
  private final RequestFilter api;
  private final Auditor audit;

  public WebAppFilter(WebApp app, RequestFilter api, Auditor audit) {
    this.app = app;
    this.api = api;
    this.audit = audit;
  }

  @Override
  public ApiResponse answer(Call call, ClientIdentity peer) throws IOException {
    if (!app.has(call.path())) {
      return api.answer(call, peer);
    }
    ApiResponse reply = app.answer(call);
    boolean refused = reply.code() == 401 || reply.code() == 403;
    User user = refused ? User.ANONYMOUS : User.of("stint:" + app.root().substring(1));
    String verb = call.method().toLowerCase(Locale.ROOT);
    AuditRecord record =
        audit.begin(
            () -> AuditedCalls.source(call, peer),
            RequestAttributes.ofPath(user, verb, call.path()));
    return AuditedCalls.answer(record, call.route(), () -> reply);
  }
}
