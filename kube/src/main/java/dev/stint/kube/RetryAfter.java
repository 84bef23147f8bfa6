package dev.stint.kube;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After} (RFC 9110, 10.2.3) as Kubernetes writes it: whole seconds. */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

  private RetryAfter() {}

  /** What the header asks for; null where there is none, or one of another form. */
  static @Nullable Duration of(@Nullable String header) {
    return header != null && SECONDS.matcher(header.strip()).matches()
        ? Duration.ofSeconds(Integer.parseInt(header.strip()))
        : null;
  }
}
