package dev.stint.apiserver.http.router;

import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.ApiResource.Subresource;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.RequestMetrics;
import dev.stint.apiserver.http.RequestMetrics.Labels;
import dev.stint.apiserver.http.Route;
import dev.stint.cluster.ClusterException;
import java.io.IOException;
import java.util.Map;

/** A filter that records metrics of the responses. */
public final class MetricsFilter implements RequestFilter {
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
      metrics.onAnswer(labels(call), reply.code());
      return reply;
    } catch (ClusterException refusal) {
      metrics.onAnswer(labels(call), refusal.reason().code());
      throw refusal;
    }
  }

  private static Labels labels(Call call) {
    Route route = call.route();
    String verb = VERBS.getOrDefault(route.verb(), "OTHER");
    boolean dryRun = !call.query().text("dryRun").isEmpty();
    if (!(route instanceof Route.Resource resource)
        || resource.served().filter(ApiResource::isStored).isEmpty()) {
      return new Labels(verb, dryRun, "", "", "", "", "");
    }
    return new Labels(
        verb,
        dryRun,
        resource.group(),
        resource.version(),
        resource.resource(),
        resource.servedSubresource().map(Subresource::name).orElse(""),
        scope(resource));
  }

  private static String scope(Route.Resource route) {
    if (!route.name().isEmpty() || route.verb().equals("create")) {
      return "resource";
    }
    return route.namespace().isEmpty() ? "cluster" : "namespace";
  }
}
