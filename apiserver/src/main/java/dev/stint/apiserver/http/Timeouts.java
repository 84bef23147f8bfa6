package dev.stint.apiserver.http;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.util.Set;
import java.util.regex.Pattern;

/** The parameter {@code timeout}, in which a client says how long it waits for an answer. */
final class Timeouts {
  /** Longer texts are not looked into: anybody may send them. */
  private static final int LONGEST = 64;

  private static final Pattern DURATION =
      Pattern.compile("[+-]?(?:0|(?:(?:\\d++(?:\\.\\d*+)?|\\.\\d++)(?:ns|us|µs|μs|ms|s|m|h))++)");

  /** What lasts as long as somebody listens. */
  private static final Set<String> LASTING =
      Set.of("log", "exec", "attach", "portforward", "proxy");

  private Timeouts() {}

  /** Throws {@code BAD_REQUEST} where it is no duration. */
  static void check(Call call) throws ClusterException {
    String timeout = call.query().text("timeout");
    if (!timeout.isEmpty() && !isDuration(timeout) && !lasts(call)) {
      throw new ClusterException(
          Reason.BAD_REQUEST,
          "invalid timeout specified in the request URL - time: invalid duration \"%s\""
              .formatted(timeout));
    }
  }

  private static boolean isDuration(String text) {
    return text.length() <= LONGEST && DURATION.matcher(text).matches();
  }

  private static boolean lasts(Call call) {
    return Route.of(call.path()) instanceof Route.Objects objects
        && (LASTING.contains(objects.subresource())
            || objects.name().isEmpty() && call.query().flag("watch"));
  }
}
