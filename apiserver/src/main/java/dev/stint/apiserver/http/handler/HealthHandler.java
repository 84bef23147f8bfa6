package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.model.field.MessagePhrases;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Serves the health checks: liveness and readiness, as named checks. */
public final class HealthHandler {
  private final Map<String, BooleanSupplier> checks = new LinkedHashMap<>();

  /**
   * @param checks the conditions of readiness, by name
   */
  public HealthHandler(Map<String, BooleanSupplier> checks) {
    this.checks.putAll(checks);
  }

  /**
   * Answers for all checks.
   *
   * @param which {@code livez}, {@code readyz} or {@code healthz}
   */
  public ApiResponse answer(String which, QueryParameters query) {
    Set<String> excluded = new TreeSet<>(query.all("exclude"));
    boolean healthy = true;
    StringBuilder told = new StringBuilder();
    for (Map.Entry<String, BooleanSupplier> check : checks(which).entrySet()) {
      boolean left = excluded.remove(check.getKey());
      boolean holds = left || check.getValue().getAsBoolean();
      healthy &= holds;
      told.append(holds ? "[+]" : "[-]").append(check.getKey());
      told.append(left ? " excluded: ok\n" : holds ? " ok\n" : " failed: reason withheld\n");
    }
    if (!excluded.isEmpty()) {
      told.append("warn: some health checks cannot be excluded: no matches for ");
      told.append(excluded.stream().map(MessagePhrases::quoted).collect(Collectors.joining(", ")));
      told.append('\n');
    }
    if (healthy && !query.names("verbose")) {
      return ApiResponse.text(200, "ok");
    }
    told.append(which).append(healthy ? " check passed\n" : " check failed\n");
    return ApiResponse.text(healthy ? 200 : 500, told.toString());
  }

  /**
   * Answers for one check; empty if there is none of that name.
   *
   * @param which {@code livez}, {@code readyz} or {@code healthz}
   */
  public Optional<ApiResponse> answer(String which, String check) {
    return Optional.ofNullable(checks(which).get(check))
        .map(one ->
            one.getAsBoolean()
                ? ApiResponse.text(200, "ok")
                : ApiResponse.text(500, "internal server error: " + check + " failed\n"));
  }

  /** Returns the checks of an endpoint. A server is live even if its store cannot be written. */
  private Map<String, BooleanSupplier> checks(String which) {
    Map<String, BooleanSupplier> all = new LinkedHashMap<>();
    all.put("ping", () -> true);
    if (!which.equals("livez")) {
      all.putAll(checks);
    }
    return all;
  }
}
