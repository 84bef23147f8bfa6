package dev.stint.apiserver.audit;

import dev.stint.apiserver.access.AccessDecision;
import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.DocumentSyntaxException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The audit record of one request. Each stage that the policy includes becomes an event. Used by
 * one thread at a time.
 *
 * <p>Texts that a client chooses are cut, so that no unknown user can write large events.
 */
public final class AuditRecord {
  private static final int AGENT_CHARS = 1024;
  private static final int URI_CHARS = 4096;
  private static final int NAME_CHARS = 512;
  private static final int MESSAGE_CHARS = 4096;
  private static final int AUDIT_ID_CHARS = 64;
  private static final String CUT = "...TRUNCATED";
  private static final Set<String> READS = Set.of("get", "list", "watch", "head", "options");
  private static final String FAILURE = "Failure";

  private final Auditor trail;
  private final Source source;
  private final RequestAttributes request;
  private final AuditPolicy.RequestAuditConfig policy;
  private final boolean sampled;
  private final Instant received;
  private final String auditId;

  private @Nullable User impersonated;
  private @Nullable AccessDecision decision;
  private @Nullable KubeObject created;
  private @Nullable JsonNode requestObject;
  private @Nullable JsonNode responseObject;
  private @Nullable ObjectNode responseStatus;
  private boolean complete;

  /**
   * The origin of a request.
   *
   * @param uri of the request, with its query
   * @param address of the client
   * @param agent the client's user agent; "" if it sends none
   * @param auditId the id that the client gives; "" if it gives none
   * @param annotations returns the annotations of admission, at any time
   */
  public record Source(
      String uri,
      String address,
      String agent,
      String auditId,
      Supplier<Map<String, String>> annotations) {
    static final Source NONE = new Source("", "", "", "", Map::of);
  }

  /**
   * @param sampled true if a request of an unknown user is recorded even if it is refused
   */
  AuditRecord(
      Auditor trail,
      Source source,
      RequestAttributes request,
      AuditPolicy.RequestAuditConfig policy,
      boolean sampled,
      Instant received) {
    this.trail = trail;
    this.source = source;
    this.request = request;
    this.policy = policy;
    this.sampled = sampled;
    this.received = received;
    this.auditId =
        policy.level() == AuditLevel.NONE || !source.auditId().isEmpty()
            ? source.auditId()
            : UUID.randomUUID().toString();
  }

  /** True if the policy wants the request recorded at all. */
  public boolean isRecorded() {
    return policy.level() != AuditLevel.NONE;
  }

  /** True if the request's body is recorded. */
  public boolean hasRequestObject() {
    return policy.level().includes(AuditLevel.REQUEST);
  }

  /** True if the response's body is recorded. */
  public boolean hasResponseObject() {
    return policy.level().includes(AuditLevel.REQUEST_RESPONSE);
  }

  /** Returns the id of the request's events. */
  public String auditId() {
    return cut(auditId, AUDIT_ID_CHARS);
  }

  /** Records the user that the request continues as. */
  public void impersonates(User user) {
    impersonated = user;
  }

  /** Records whether the request is authorized. */
  public void decided(AccessDecision authorization) {
    decision = authorization;
  }

  /** Records the object that the request creates, whose name may be generated. */
  public void creates(KubeObject object) {
    created = object;
  }

  /** Records the request's body. Bodies that cannot be parsed are left out. */
  public void requestObject(Supplier<@Nullable JsonNode> body) {
    requestObject = parsed(body);
  }

  /** Records the response's body, likewise. */
  public void responseObject(Supplier<@Nullable JsonNode> body) {
    responseObject = parsed(body);
  }

  private static @Nullable JsonNode parsed(Supplier<@Nullable JsonNode> body) {
    try {
      return body.get();
    } catch (JacksonException | DocumentSyntaxException malformed) {
      return null;
    }
  }

  /** Records that the request has arrived. */
  void onReceived() {
    record(AuditStage.REQUEST_RECEIVED);
  }

  /** Records that a long response has begun. */
  public void onResponseStarted(int code) {
    responseStatus = status(code);
    record(AuditStage.RESPONSE_STARTED);
  }

  /** Records that the response is complete; later calls do nothing. */
  public void onResponseComplete(int code) {
    complete(AuditStage.RESPONSE_COMPLETE, status(code));
  }

  /**
   * Records that the request was refused, likewise.
   *
   * @param refusal a {@code Status}
   */
  public void onRefused(ObjectNode refusal) {
    complete(AuditStage.RESPONSE_COMPLETE, bounded(refusal));
  }

  /** Records that the client disconnected before the response was complete. */
  public void onDisconnected() {
    ObjectNode status = status(500).put("status", FAILURE);
    complete(AuditStage.RESPONSE_COMPLETE, status.put("message", "Connection closed early"));
  }

  /** Records that the request ended by a fault of the server. */
  public void onPanic() {
    ObjectNode status = status(500).put("status", FAILURE).put("reason", "InternalError");
    complete(AuditStage.PANIC, status.put("message", "see the server's log"));
  }

  /**
   * Records a request without valid credentials.
   *
   * @param methods the sorts of credentials that it has, such as {@code bearer}
   */
  void onUnauthenticated(String methods) {
    responseStatus =
        status(401)
            .put("status", FAILURE)
            .put("message", "Authentication failed, attempted: " + methods)
            .put("reason", "Unauthorized");
    record(AuditStage.RESPONSE_STARTED);
    if (!sampled) {
      trail.leaveOut();
    }
  }

  private void complete(AuditStage stage, ObjectNode status) {
    if (complete || !isRecorded()) {
      return;
    }
    complete = true;
    responseStatus = status;
    record(stage);
    if (!isWritten()) {
      trail.leaveOut();
    }
  }

  private void record(AuditStage stage) {
    if (policy.includes(stage) && isWritten()) {
      trail.append(event(stage), isUnknown(request.user()) && !isAllowedWrite());
    }
  }

  /** True if the request is known to be recorded; sampling never affects writes that are done. */
  private boolean isWritten() {
    return sampled || !isUnknown(request.user()) || isAllowedWrite();
  }

  private boolean isAllowedWrite() {
    return decision != null && decision.allowed() && !READS.contains(request.verb());
  }

  static boolean isUnknown(User user) {
    return user.name().isEmpty() || user.groups().contains(User.UNAUTHENTICATED);
  }

  private static ObjectNode status(int code) {
    ObjectNode status = Json.object();
    status.putObject("metadata");
    return status.put("code", code);
  }

  /** Returns the members of a {@code Status} that are of bounded size. */
  private static ObjectNode bounded(ObjectNode refusal) {
    ObjectNode status = Json.object();
    status.putObject("metadata");
    for (String member : List.of("status", "reason", "code")) {
      if (refusal.has(member)) {
        status.set(member, refusal.get(member));
      }
    }
    String message = Json.text(refusal, "message");
    if (message != null) {
      status.put("message", cut(message, MESSAGE_CHARS));
    }
    JsonNode details = refusal.get("details");
    if (details != null && Json.bytes(details).length <= MESSAGE_CHARS) {
      status.set("details", details);
    }
    return status;
  }

  private ObjectNode event(AuditStage stage) {
    ObjectNode event = Json.object().put("kind", "Event").put("apiVersion", "audit.k8s.io/v1");
    event.put("level", policy.level().word()).put("auditID", auditId());
    event.put("stage", stage.word());
    event.put("requestURI", cut(source.uri(), URI_CHARS)).put("verb", request.verb());
    event.set("user", request.user().name().isEmpty() ? Json.object() : request.user().tree());
    if (impersonated != null) {
      event.set("impersonatedUser", impersonated.tree());
    }
    event.putArray("sourceIPs").add(source.address());
    if (!source.agent().isEmpty()) {
      event.put("userAgent", cut(source.agent(), AGENT_CHARS));
    }
    if (request.nonResourcePath() == null) {
      event.set("objectRef", objectRef());
    }
    if (responseStatus != null) {
      event.set("responseStatus", responseStatus);
    }
    bodies(event);
    event.put("requestReceivedTimestamp", AuditTimes.format(received));
    event.put("stageTimestamp", AuditTimes.format(trail.now()));
    ObjectNode annotations = annotations();
    if (!annotations.isEmpty()) {
      event.set("annotations", annotations);
    }
    return event;
  }

  private ObjectNode annotations() {
    ObjectNode annotations = Json.object();
    if (decision != null) {
      annotations
          .put("authorization.k8s.io/decision", decision.allowed() ? "allow" : "forbid")
          .put("authorization.k8s.io/reason", decision.reason());
    }
    new TreeMap<>(source.annotations().get()).forEach(annotations::put);
    return annotations;
  }

  private void bodies(ObjectNode event) {
    if (requestObject != null) {
      event.set("requestObject", shown(requestObject));
    }
    if (responseObject != null) {
      event.set("responseObject", shown(responseObject));
    }
  }

  private JsonNode shown(JsonNode body) {
    return policy.omitManagedFields() ? ManagedFieldsOmission.of(body) : body;
  }

  private ObjectNode objectRef() {
    ObjectNode ref = Json.object();
    put(ref, "resource", request.resource());
    put(ref, "namespace", request.namespace());
    put(ref, "name", request.name().isEmpty() && created != null ? created.name() : request.name());
    put(ref, "uid", created == null ? "" : created.uid());
    put(ref, "apiGroup", request.group());
    put(ref, "apiVersion", request.version());
    put(ref, "subresource", request.subresource());
    return ref;
  }

  private static void put(ObjectNode tree, String member, String value) {
    if (!value.isEmpty()) {
      tree.put(member, cut(value, NAME_CHARS));
    }
  }

  private static String cut(String text, int chars) {
    return text.length() <= chars ? text : text.substring(0, chars) + CUT;
  }
}
