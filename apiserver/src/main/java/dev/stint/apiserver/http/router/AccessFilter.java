package dev.stint.apiserver.http.router;

import dev.stint.apiserver.WriteOptions;
import dev.stint.apiserver.access.AuditLog;
import dev.stint.apiserver.access.Authentication;
import dev.stint.apiserver.access.Authenticator;
import dev.stint.apiserver.access.Authorizer;
import dev.stint.apiserver.access.EscalationCheck;
import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.http.TimeoutParameter;
import dev.stint.apiserver.http.handler.ObjectView;
import dev.stint.apiserver.selector.FieldSelector;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The filter that authenticates and authorizes requests before the {@link Router}. */
public final class AccessFilter implements RequestFilter {
  private static final Logger LOG = LoggerFactory.getLogger(AccessFilter.class);

  /**
   * The code recorded for a request that ended by an exception: a bug of ours, or a client that
   * disconnected.
   */
  private static final int FAULT = 500;

  private static final Set<String> READS = Set.of("get", "list", "watch", "head", "options");

  private final Authenticator authenticator;
  private final Authorizer authorizer;
  private final EscalationCheck escalation;
  private final Router router;
  private final @Nullable AuditLog audit;
  private final InstantSource clock;

  /**
   * @param audit records every write; null for none
   */
  public AccessFilter(
      Authenticator authenticator,
      Authorizer authorizer,
      Router router,
      @Nullable AuditLog audit,
      InstantSource clock) {
    this.audit = audit;
    this.clock = clock;
    this.authenticator = authenticator;
    this.authorizer = authorizer;
    this.escalation = new EscalationCheck(authorizer);
    this.router = router;
  }

  @Override
  public ApiResponse answer(Call call, ClientIdentity peer) throws IOException {
    TimeoutParameter.check(call);
    User real = user(call, peer);
    User user = peer.acting() == null ? real : peer.acting().by(real, authorizer);
    RequestAttributes attributes = attributes(call, user);
    Instant begun = clock.instant();
    int code = FAULT;
    try {
      ApiResponse reply = answer(call, attributes);
      code = reply.code();
      return reply;
    } finally {
      audit(call, peer, attributes, begun, code);
    }
  }

  /** Records writes and sessions in containers, even if they ended by an exception. */
  private void audit(
      Call call, ClientIdentity peer, RequestAttributes attributes, Instant begun, int code) {
    if (audit != null && (!READS.contains(attributes.verb()) || call.route().entersContainer())) {
      long millis = Duration.between(begun, clock.instant()).toMillis();
      audit.record(
          new AuditLog.Entry(
              begun,
              attributes,
              code,
              millis,
              peer.address(),
              call.header("User-Agent"),
              call.annotations().asMap()));
    }
  }

  private ApiResponse answer(Call call, RequestAttributes attributes) throws IOException {
    if (!authorizer.of(attributes).allowed()) {
      return ApiResponse.refused(attributes.forbidden());
    }
    if (call.route().entersContainer()) {
      RequestAttributes creation = attributes.withVerb("create");
      if (!authorizer.of(creation).allowed()) {
        return ApiResponse.refused(creation.forbidden());
      }
    }
    User user = attributes.user();
    WriteOptions options =
        WriteOptions.PLAIN.admitted((before, after) -> {
          if (before == null) {
            requireCreation(attributes);
          }
          escalation.check(attributes, before, after);
        });
    return router.answer(call.authenticated(user, options));
  }

  /**
   * Throws {@code FORBIDDEN} unless the user may create. An update or apply that creates an object
   * requires that right too.
   */
  private void requireCreation(RequestAttributes attributes) {
    RequestAttributes creation = attributes.withVerb("create");
    if (!creation.equals(attributes) && !authorizer.of(creation).allowed()) {
      throw creation.forbidden();
    }
  }

  private User user(Call call, ClientIdentity peer) {
    return switch (authenticator.of(peer.certificate(), call.headers().apply("Authorization"))) {
      case Authentication.Known(User known) -> known;
      case Authentication.Anonymous() -> User.ANONYMOUS;
      case Authentication.Refused(String why) -> {
        LOG.debug("Refused a client at {}: {}", peer.address(), why);
        throw new ClusterException(Reason.UNAUTHORIZED, "Unauthorized");
      }
    };
  }

  /** Returns the attributes of a request for authorization. */
  public static RequestAttributes attributes(Call call, User user) {
    return switch (call.route()) {
      case Route.NonResource other -> RequestAttributes.ofPath(user, other.verb(), other.path());
      case Route.Resource resource ->
          new RequestAttributes(
              user,
              resource.verb(),
              resource.group(),
              resource.version(),
              resource.resource(),
              resource.subresource(),
              namespace(resource),
              name(call, resource),
              null);
    };
  }

  /** Returns the namespace of a path; a namespace itself lies in itself, as in Kubernetes. */
  private static String namespace(Route.Resource route) {
    return route.namespace().isEmpty() && route.resource().equals(Kind.NAMESPACE.plural())
        ? route.name()
        : route.namespace();
  }

  /** Returns the name in the path, or the single name that a list or watch selects. */
  private static String name(Call call, Route.Resource route) {
    boolean selects = route.verb().equals("list") || route.verb().equals("watch");
    Kind kind = selects ? route.served().map(ApiResource::stored).orElse(null) : null;
    if (kind == null) {
      return route.name();
    }
    try {
      String only =
          FieldSelector.parse(ObjectView.of(call).kind(kind), call.query().text("fieldSelector"))
              .pinnedName();
      return only == null ? "" : only;
    } catch (ClusterException broken) {
      return ""; // reported to those who may list at all
    }
  }
}
