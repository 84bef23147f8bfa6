package dev.stint.apiserver.http;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.audit.AuditRecord;
import dev.stint.apiserver.audit.AuditTrail;
import java.io.IOException;
import java.util.Locale;

/**
 * Routes requests for a {@link Site} to it, and all others to the next filter. The site's own
 * requests are audited as those of the user {@code stint:SITE}, or of nobody if it refuses them.
 */
public final class SiteFilter implements RequestFilter {
  private final Site site;
  private final RequestFilter api;
  private final AuditTrail audit;

  public SiteFilter(Site site, RequestFilter api, AuditTrail audit) {
    this.site = site;
    this.api = api;
    this.audit = audit;
  }

  @Override
  public ApiResponse answer(Call call, ClientIdentity peer) throws IOException {
    if (!site.has(call.path())) {
      return api.answer(call, peer);
    }
    ApiResponse reply = site.answer(call);
    boolean refused = reply.code() == 401 || reply.code() == 403;
    User user = refused ? User.ANONYMOUS : User.of("stint:" + site.root().substring(1));
    String verb = call.method().toLowerCase(Locale.ROOT);
    AuditRecord record =
        audit.begin(
            () -> AuditedCalls.source(call, peer),
            RequestAttributes.ofPath(user, verb, call.path()));
    return AuditedCalls.answer(record, call.route(), () -> reply);
  }
}
