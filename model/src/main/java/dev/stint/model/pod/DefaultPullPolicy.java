package dev.stint.model.pod;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The pull policy by the name of an image: {@code [host[:port]/]path[:tag][@digest]}. */
final class DefaultPullPolicy {
  private static final String PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
  private static final Pattern FORM =
      Pattern.compile(
          "(?<name>(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*"
              + "|\\[[a-fA-F0-9:]+])(?::[0-9]+)?/)?"
              + PART
              + "(?:/"
              + PART
              + ")*)(?::(?<tag>[\\w][\\w.-]{0,127}))?(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?");

  /** The ID of an image, which is not a name. */
  private static final Pattern IDENTIFIER = Pattern.compile("[a-f0-9]{64}");

  private static final int LONGEST = 1024;
  private static final int LONGEST_PATH = 255;

  private DefaultPullPolicy() {}

  /**
   * Returns {@code Always} for the tag "latest", explicit or implied; {@code IfNotPresent} for all
   * others.
   */
  static String of(@Nullable String image) {
    if (image == null || image.length() > LONGEST || IDENTIFIER.matcher(image).matches()) {
      return "IfNotPresent";
    }
    Matcher matcher = FORM.matcher(image);
    if (!matcher.matches() || path(matcher.group("name")).length() > LONGEST_PATH) {
      return "IfNotPresent";
    }
    String tag = matcher.group("tag");
    boolean latest = tag == null ? matcher.group("digest") == null : tag.equals("latest");
    return latest ? "Always" : "IfNotPresent";
  }

  /** Returns the name within its registry; names without one are in a library. */
  private static String path(String name) {
    int slash = name.indexOf('/');
    String host = name.substring(0, Math.max(0, slash));
    if (slash < 0) {
      return "library/" + name;
    }
    boolean registry =
        host.contains(".")
            || host.contains(":")
            || host.equals("localhost")
            || !host.equals(host.toLowerCase(Locale.ROOT));
    return registry ? name.substring(slash + 1) : name;
  }
}
