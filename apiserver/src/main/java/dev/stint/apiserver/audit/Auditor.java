package dev.stint.apiserver.audit;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The audit trail: records requests as the policy says. */
public final class Auditor implements AutoCloseable {
  /** A trail that records nothing. */
  public static final Auditor NONE = new Auditor(AuditPolicy.NOTHING, null, InstantSource.system());

  /** The user of a request without valid credentials. */
  public static final User NOBODY = User.of("");

  private static final long MAX_QUEUED_BYTES = 64L << 20;
  private static final int HEAP_SHARE = 16;
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(1);

  private final AuditPolicy policy;
  private final @Nullable AuditLog log;
  private final InstantSource clock;
  private final RefusalSampler sampler;

  private Auditor(AuditPolicy policy, @Nullable AuditLog log, InstantSource clock) {
    this.policy = policy;
    this.log = log;
    this.clock = clock;
    this.sampler = new RefusalSampler(clock);
  }

  /**
   * Opens a trail, which appends to an existing file.
   *
   * @param executor writes to the disk; may have many threads
   */
  public static Auditor open(AuditSettings settings, InstantSource clock, Executor executor)
      throws IOException {
    long bytes = Math.min(MAX_QUEUED_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    AuditLog.Options options =
        new AuditLog.Options(settings.path(), settings.format(), bytes, WRITE_TIMEOUT);
    AuditSink sink = AuditFile.of(settings, clock);
    return new Auditor(settings.policy(), new AuditLog(sink, options, clock, executor), clock);
  }

  /**
   * Begins the record of a request, by its authenticated user.
   *
   * @param source called only if the request is recorded
   * @param request with the user who has authenticated, whomever they impersonate
   */
  public AuditRecord begin(Supplier<AuditRecord.Source> source, RequestAttributes request) {
    AuditRecord begun = of(source, request);
    begun.onReceived();
    return begun;
  }

  /**
   * Records a request without valid credentials.
   *
   * @param source called only if the request is recorded
   * @param request of {@link #NOBODY}
   * @param methods the sorts of credentials that it has, such as {@code bearer}
   */
  public void onUnauthenticated(
      Supplier<AuditRecord.Source> source, RequestAttributes request, String methods) {
    AuditRecord refused = of(source, request);
    if (refused.isRecorded()) {
      refused.onUnauthenticated(methods);
    }
  }

  private AuditRecord of(Supplier<AuditRecord.Source> source, RequestAttributes request) {
    AuditPolicy.RequestAuditConfig decision = policy.decide(request);
    if (decision.level() == AuditLevel.NONE) {
      return new AuditRecord(this, AuditRecord.Source.NONE, request, decision, true, Instant.EPOCH);
    }
    boolean sampled = !AuditRecord.isUnknown(request.user()) || sampler.admits();
    return new AuditRecord(this, source.get(), request, decision, sampled, clock.instant());
  }

  void append(ObjectNode event, boolean rationed) {
    if (log != null) {
      log.append(event, rationed);
    }
  }

  void leaveOut() {
    if (log != null) {
      log.leaveOut();
    }
  }

  Instant now() {
    return clock.instant();
  }

  /** Writes all recorded events, and records no more. */
  @Override
  public void close() throws IOException {
    if (log != null) {
      log.close();
    }
  }
}
