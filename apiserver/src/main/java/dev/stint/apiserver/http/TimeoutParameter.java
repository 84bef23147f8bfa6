package dev.stint.apiserver.http;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.field.MessagePhrases;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameter {@code timeout}: how long a client waits for an answer. */
public final class TimeoutParameter {
  /** The limit of its length: longer texts are not parsed, as anybody may send them. */
  private static final int LONGEST = 64;

  private static final Pattern NUMBER = Pattern.compile("\\d++(?:\\.\\d*+)?|\\.\\d++");
  private static final Pattern UNIT = Pattern.compile("[^.0-9]*+");
  private static final Map<String, Double> SECONDS =
      Map.of(
          "ns", 1e-9, "us", 1e-6, "µs", 1e-6, "μs", 1e-6, "ms", 1e-3, "s", 1.0, "m", 60.0, "h",
          3600.0);
  private static final Pattern PART = Pattern.compile("([\\d.]++)([^\\d.]++)");

  private TimeoutParameter() {}

  /** Throws {@code BAD_REQUEST} if the parameter is not a duration. */
  public static void check(Call call) throws ClusterException {
    String timeout = call.query().text("timeout");
    String fault = timeout.isEmpty() || call.route().isLongRunning() ? null : fault(timeout);
    if (fault != null) {
      throw new ClusterException(
          Reason.BAD_REQUEST,
          "invalid timeout specified in the request URL - time: %s".formatted(fault));
    }
  }

  /**
   * Returns how long a client waits at most.
   *
   * @param longest returned if it does not say, or says more
   */
  public static Duration atMost(Duration longest, Call call) {
    String text = call.query().text("timeout");
    if (text.isEmpty() || call.route().isLongRunning() || fault(text) != null) {
      return longest;
    }
    double seconds =
        PART.matcher(text)
            .results()
            .mapToDouble(part ->
                Double.parseDouble(part.group(1)) * SECONDS.getOrDefault(part.group(2), 0.0))
            .sum();
    if (seconds > 0 && text.startsWith("-")) {
      return Duration.ZERO;
    }
    boolean shorter = seconds > 0 && seconds < longest.toSeconds();
    return shorter ? Duration.ofNanos((long) (seconds * 1e9)) : longest;
  }

  /** Returns the fault of a duration, in Go's words; null for none. */
  static @Nullable String fault(String duration) {
    String quoted = MessagePhrases.goQuoted(duration);
    String invalid = "invalid duration " + quoted;
    int at = duration.startsWith("+") || duration.startsWith("-") ? 1 : 0;
    if (duration.length() > LONGEST || at == duration.length()) {
      return invalid;
    }
    if (duration.substring(at).equals("0")) {
      return null;
    }
    Matcher number = NUMBER.matcher(duration);
    Matcher unit = UNIT.matcher(duration);
    while (at < duration.length()) {
      if (!number.region(at, duration.length()).lookingAt()) {
        return invalid;
      }
      unit.region(number.end(), duration.length()).lookingAt();
      if (unit.group().isEmpty()) {
        return "missing unit in duration " + quoted;
      }
      if (!SECONDS.containsKey(unit.group())) {
        return "unknown unit " + MessagePhrases.goQuoted(unit.group()) + " in duration " + quoted;
      }
      at = unit.end();
    }
    return null;
  }
}
