package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;

/** Rules of {@code lifecycle}. */
final class LifecycleRules {
  private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "sleep");

  private static final List<String> WINDOWS_SIGNALS = List.of("SIGKILL", "SIGTERM");

  private LifecycleRules() {}

  /**
   * @param system the operating system of the pod; empty if it names none
   */
  static void check(
      FieldPath lifecycle, long gracePeriodSeconds, String system, FieldErrors faults) {
    for (String name : List.of("postStart", "preStop")) {
      FieldPath handler = lifecycle.get(name);
      if (handler.exists()) {
        ProbeHandlerRules.exactlyOne(handler, HANDLERS, faults);
        sleep(handler.get("sleep"), gracePeriodSeconds, faults);
      }
    }
    stopSignal(lifecycle.get("stopSignal"), system, faults);
  }

  /** Checks a stop signal: which ones exist depends on the system (KEP-4960). */
  private static void stopSignal(FieldPath signal, String system, FieldErrors faults) {
    if (signal.exists() && system.isEmpty()) {
      faults.forbidden(signal, "needs spec.os.name: each system has its own signals");
    } else if (signal.exists()) {
      faults.notSupportedUnlessIn(
          signal, system.equals("windows") ? WINDOWS_SIGNALS : StopSignals.names());
    }
  }

  private static void sleep(FieldPath sleep, long gracePeriodSeconds, FieldErrors faults) {
    long seconds = sleep.get("seconds").count();
    if (sleep.exists() && (seconds < 0 || seconds > gracePeriodSeconds)) {
      faults.invalid(
          sleep,
          seconds
              + " seconds must be from 0 to terminationGracePeriodSeconds, which is "
              + gracePeriodSeconds);
    }
  }
}
