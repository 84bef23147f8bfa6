package dev.stint.apiserver.http.router;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.RequestMetrics;
import dev.stint.apiserver.http.RequestMetrics.Asked;
import dev.stint.apiserver.http.Route;
import dev.stint.cluster.ClusterException;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** A filter that records metrics of the responses. */
public final class MetricsFilter implements RequestFilter {
  private static final Set<String> SUBRESOURCES =
      Set.of("status", "finalize", "binding", "eviction", "log", "exec", "attach", "token");

  private static final Map<String, String> VERBS =
      Map.of(
          "get", "GET",
          "list", "LIST",
          "watch", "WATCH",
          "create", "POST",
          "update", "PUT",
          "patch", "PATCH",
          "delete", "DELETE",
          "deletecollection", "DELETECOLLECTION");

  private final RequestFilter gate;
  private final RequestMetrics metrics;

  public MetricsFilter(RequestFilter gate, RequestMetrics metrics) {
    this.gate = gate;
    this.metrics = metrics;
  }

  @Override
  public ApiResponse answer(Call call, ClientIdentity peer) throws IOException {
    try {
      ApiResponse reply = gate.answer(call, peer);
      metrics.answered(asked(call), reply.code());
      return reply;
    } catch (ClusterException refusal) {
      metrics.answered(asked(call), refusal.reason().code());
      throw refusal;
    }
  }

  static Asked asked(Call call) {
    RequestAttributes attributes = AccessFilter.attributes(call, User.ANONYMOUS);
    String verb = VERBS.getOrDefault(attributes.verb(), "OTHER");
    boolean dryRun = !call.query().text("dryRun").isEmpty();
    if (!(Route.of(call.path()) instanceof Route.Objects route) || route.kind().isEmpty()) {
      return new Asked(verb, dryRun, "", "", "", "", "");
    }
    String subresource = SUBRESOURCES.contains(route.subresource()) ? route.subresource() : "";
    return new Asked(
        verb,
        dryRun,
        route.group(),
        route.version(),
        route.resource(),
        subresource,
        scope(route, attributes));
  }

  private static String scope(Route.Objects route, RequestAttributes attributes) {
    if (!route.name().isEmpty() || attributes.verb().equals("create")) {
      return "resource";
    }
    return route.namespace().isEmpty() ? "cluster" : "namespace";
  }
}
