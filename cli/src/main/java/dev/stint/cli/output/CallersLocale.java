package dev.stint.cli.output;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * The locale of the caller. The launcher gives this process another one if the JVM could not read
 * the words of the caller otherwise; pods have the caller's.
 */
final class CallersLocale {
  /** The variable in which the launcher keeps the caller's; empty if the caller has none. */
  private static final String KEPT = "STINT_LC_ALL";

  private static final String LOCALE = "LC_ALL";

  private CallersLocale() {}

  /** Returns the environment of the caller, given that of this process. */
  static Map<String, String> in(Map<String, String> environment) {
    String kept = environment.get(KEPT);
    if (kept == null) {
      return environment;
    }
    Map<String, String> callers = new HashMap<>(environment);
    callers.remove(KEPT);
    if (kept.isEmpty()) {
      callers.remove(LOCALE);
    } else {
      callers.put(LOCALE, kept);
    }
    return Collections.unmodifiableMap(callers);
  }
}
