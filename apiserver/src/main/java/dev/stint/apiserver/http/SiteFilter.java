package dev.stint.apiserver.http;

import dev.stint.apiserver.access.AuditLog;
import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes requests for a {@link Site} to it, and all others to the next filter. */
public final class SiteFilter implements RequestFilter {
  private static final Set<String> READS = Set.of("GET", "HEAD");

  private final Site site;
  private final RequestFilter api;
  private final @Nullable AuditLog audit;
  private final InstantSource clock;

  /**
   * @param audit records all requests but reads; null for none
   */
  public SiteFilter(Site site, RequestFilter api, @Nullable AuditLog audit, InstantSource clock) {
    this.site = site;
    this.api = api;
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public ApiResponse answer(Call call, ClientIdentity peer) throws IOException {
    if (!site.has(call.path())) {
      return api.answer(call, peer);
    }
    Instant begun = clock.instant();
    ApiResponse reply = site.answer(call);
    if (audit != null && !READS.contains(call.method())) {
      User who = User.of("stint:" + site.root().substring(1));
      String verb = call.method().toLowerCase(Locale.ROOT);
      audit.record(
          new AuditLog.Entry(
              begun,
              RequestAttributes.ofPath(who, verb, call.path()),
              reply.code(),
              Duration.between(begun, clock.instant()).toMillis(),
              peer.address(),
              call.header("User-Agent")));
    }
    return reply;
  }
}
