package dev.stint.apiserver.http.router;

import dev.stint.apiserver.access.AccessDecision;
import dev.stint.apiserver.access.Authentication;
import dev.stint.apiserver.access.Authenticator;
import dev.stint.apiserver.access.Authorizer;
import dev.stint.apiserver.access.EscalationCheck;
import dev.stint.apiserver.access.Impersonation;
import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.audit.AuditRecord;
import dev.stint.apiserver.audit.Auditor;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.AuditedCalls;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.Route;
import dev.stint.apiserver.http.TimeoutParameter;
import dev.stint.apiserver.selector.FieldSelector;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filter that authenticates requests, has them wait for their turn ({@link FairSharing}), and
 * authorizes them, before the {@link Router}.
 */
public final class AccessFilter implements RequestFilter {
  private static final Logger LOG = LoggerFactory.getLogger(AccessFilter.class);

  private final Authenticator authenticator;
  private final Authorizer authorizer;
  private final EscalationCheck escalation;
  private final Router router;
  private final Auditor audit;
  private final FairSharing sharing;

  /** Creates a filter that carries out every request at once. */
  public AccessFilter(
      Authenticator authenticator, Authorizer authorizer, Router router, Auditor audit) {
    this(authenticator, authorizer, router, audit, FairSharing.NONE);
  }

  /**
   * @param sharing decides when requests are carried out
   */
  public AccessFilter(
      Authenticator authenticator,
      Authorizer authorizer,
      Router router,
      Auditor audit,
      FairSharing sharing) {
    this.sharing = sharing;
    this.audit = audit;
    this.authenticator = authenticator;
    this.authorizer = authorizer;
    this.escalation = new EscalationCheck(authorizer);
    this.router = router;
  }

  @Override
  public ApiResponse answer(Call call, ClientIdentity peer) throws IOException {
    TimeoutParameter.check(call);
    User real = user(call, peer);
    RequestAttributes own = attributes(call, real);
    AuditRecord record = audit.begin(() -> AuditedCalls.source(call, peer), own);
    return AuditedCalls.answer(
        record,
        call.route(),
        () -> {
          call.body().identify(real);
          Impersonation acting = peer.acting();
          if (acting == null) {
            return inTurn(call, own, record);
          }
          User user = acting.by(real, authorizer);
          record.impersonates(user);
          return inTurn(call, attributes(call, user), record);
        });
  }

  private ApiResponse inTurn(Call call, RequestAttributes attributes, AuditRecord record)
      throws IOException {
    return sharing.answer(
        call,
        attributes,
        admitted -> answer(AuditedCalls.reading(record, admitted), attributes, record));
  }

  private ApiResponse answer(Call call, RequestAttributes attributes, AuditRecord record)
      throws IOException {
    if (!isAllowed(attributes, record)) {
      return ApiResponse.refused(attributes.forbidden());
    }
    if (call.route().entersContainer()) {
      RequestAttributes creation = attributes.withVerb("create");
      if (!isAllowed(creation, record)) {
        return ApiResponse.refused(creation.forbidden());
      }
    }
    User user = attributes.user();
    WriteOptions options =
        WriteOptions.PLAIN.admitted((before, after) -> {
          if (before == null) {
            requireCreation(attributes);
            record.creates(after);
          }
          escalation.check(attributes, before, after);
        });
    return router.answer(call.authenticated(user, options));
  }

  private boolean isAllowed(RequestAttributes attributes, AuditRecord record) {
    AccessDecision decision = authorizer.of(attributes);
    record.decided(decision);
    return decision.allowed();
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
        audit.onUnauthenticated(
            () -> AuditedCalls.source(call, peer),
            attributes(call, Auditor.NOBODY),
            AuditedCalls.credentials(call, peer));
        call.body().identify(User.ANONYMOUS);
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
    ApiResource listed = selects ? route.served().orElse(null) : null;
    if (listed == null || !listed.isStored()) {
      return route.name();
    }
    try {
      String only =
          FieldSelector.parse(listed.fields(), call.query().text("fieldSelector")).pinnedName();
      return only == null ? "" : only;
    } catch (ClusterException broken) {
      return ""; // reported to those who may list at all
    }
  }
}
