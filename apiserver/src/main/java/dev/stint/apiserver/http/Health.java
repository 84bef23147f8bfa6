package dev.stint.apiserver.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Whether the server lives, and whether it is ready: one named check after another. */
public final class Health {
  private final Map<String, BooleanSupplier> checks = new LinkedHashMap<>();

  /**
   * @param checks what readiness depends on, by name
   */
  public Health(Map<String, BooleanSupplier> checks) {
    this.checks.putAll(checks);
  }

  /**
   * @param which {@code livez}, {@code readyz} or {@code healthz}
   */
  Reply answer(String which, Query query) {
    boolean ready = true;
    StringBuilder told = new StringBuilder("[+]ping ok\n");
    if (!which.equals("livez")) {
      for (Map.Entry<String, BooleanSupplier> check : checks.entrySet()) {
        boolean holds = check.getValue().getAsBoolean();
        ready &= holds;
        told.append(holds ? "[+]" : "[-]").append(check.getKey());
        told.append(holds ? " ok\n" : " failed\n");
      }
    }
    if (ready && !query.flag("verbose")) {
      return Reply.text(200, "ok");
    }
    told.append(which).append(ready ? " check passed\n" : " check failed\n");
    return Reply.text(ready ? 200 : 503, told.toString());
  }
}
