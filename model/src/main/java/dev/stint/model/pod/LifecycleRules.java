package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;

/** Rules of {@code lifecycle}. */
final class LifecycleRules {
  private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "sleep");

  private LifecycleRules() {}

  static void check(FieldPath lifecycle, long gracePeriodSeconds, FieldErrors faults) {
    for (String name : List.of("postStart", "preStop")) {
      FieldPath handler = lifecycle.get(name);
      if (handler.exists()) {
        ProbeHandlerRules.exactlyOne(handler, HANDLERS, faults);
        sleep(handler.get("sleep"), gracePeriodSeconds, faults);
      }
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
