package dev.stint.apiserver.http;

import dev.stint.apiserver.access.Attributes;
import dev.stint.apiserver.access.AuditLog;
import dev.stint.apiserver.access.User;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Leads what is asked of a {@link Site} there, and all else on. */
public final class SiteGate implements Gate {
  private static final Set<String> READS = Set.of("GET", "HEAD");

  private final Site site;
  private final Gate api;
  private final @Nullable AuditLog audit;
  private final InstantSource clock;

  /**
   * @param audit takes down all but reads; null for none
   */
  public SiteGate(Site site, Gate api, @Nullable AuditLog audit, InstantSource clock) {
    this.site = site;
    this.api = api;
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public Reply answer(Call call, Peer peer) throws IOException {
    if (!site.has(call.path())) {
      return api.answer(call, peer);
    }
    Instant begun = clock.instant();
    Reply reply = site.answer(call);
    if (audit != null && !READS.contains(call.method())) {
      User who = User.of("stint:" + site.root().substring(1));
      String verb = call.method().toLowerCase(Locale.ROOT);
      audit.record(
          new AuditLog.Entry(
              begun,
              Attributes.ofPath(who, verb, call.path()),
              reply.code(),
              Duration.between(begun, clock.instant()).toMillis(),
              peer.address(),
              call.header("User-Agent")));
    }
    return reply;
  }
}
