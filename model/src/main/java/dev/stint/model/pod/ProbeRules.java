package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
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

  static void check(At container, Faults faults) {
    for (String name : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      At probe = container.get(name);
      if (probe.exists()) {
        probe(probe, name.equals("readinessProbe"), faults);
      }
    }
  }

  private static void probe(At probe, boolean readiness, Faults faults) {
    HandlerRules.exactlyOne(probe, HANDLERS, faults);
    COUNTS.forEach(count -> faults.invalidIfNegative(probe.get(count)));
    At grace = probe.get("terminationGracePeriodSeconds");
    if (readiness) {
      if (grace.exists()) {
        faults.invalid(grace, "must be left out: a readiness probe ends nothing");
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
