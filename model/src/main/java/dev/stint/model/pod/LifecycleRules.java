package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import java.util.List;

/** Rules of {@code lifecycle}. */
final class LifecycleRules {
  private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "sleep");

  private LifecycleRules() {}

  static void check(At lifecycle, long gracePeriodSeconds, Faults faults) {
    for (String name : List.of("postStart", "preStop")) {
      At handler = lifecycle.get(name);
      if (handler.exists()) {
        HandlerRules.exactlyOne(handler, HANDLERS, faults);
        sleep(handler.get("sleep"), gracePeriodSeconds, faults);
      }
    }
  }

  private static void sleep(At sleep, long gracePeriodSeconds, Faults faults) {
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
