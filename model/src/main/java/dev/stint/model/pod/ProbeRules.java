package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;

/** Rules of the three probes. */
final class ProbeRules {
  private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc");
  private static final List<String> COUNTS =
      List.of(
          "initialDelaySeconds",
          "timeoutSeconds",
          "periodSeconds",
          "successThreshold",
          "failureThreshold");

  private ProbeRules() {}

  static void check(FieldPath container, FieldErrors faults) {
    for (String name : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      FieldPath probe = container.get(name);
      if (probe.exists()) {
        probe(probe, name.equals("readinessProbe"), faults);
      }
    }
  }

  private static void probe(FieldPath probe, boolean readiness, FieldErrors faults) {
    ProbeHandlerRules.exactlyOne(probe, HANDLERS, faults);
    COUNTS.forEach(count -> faults.invalidIfNegative(probe.get(count)));
    FieldPath grace = probe.get("terminationGracePeriodSeconds");
    if (readiness) {
      if (grace.exists()) {
        faults.invalid(grace, "must be left out: a readiness probe terminates nothing");
      }
      return;
    }
    if (grace.exists() && grace.count() <= 0) {
      faults.invalid(grace, grace.count() + " must be 1 or more");
    }
    if (probe.get("successThreshold").count() != 1) {
      faults.invalid(
          probe.get("successThreshold"),
          probe.get("successThreshold").count() + " must be 1 for this probe");
    }
  }
}
