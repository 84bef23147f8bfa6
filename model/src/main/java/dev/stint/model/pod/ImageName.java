package dev.stint.model.pod;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name of a container image: {@code [host[:port]/]path[:tag][@digest]}. */
final class ImageName {
  private static final String PART = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
  private static final Pattern FORM =
      Pattern.compile(
          "(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*"
              + "|\\[[a-fA-F0-9:]+])(?::[0-9]+)?/)?"
              + PART
              + "(?:/"
              + PART
              + ")*(?::(?<tag>[\\w][\\w.-]{0,127}))?(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?");
  private static final int LONGEST = 512;

  private ImageName() {}

  /** {@code Always} for the tag "latest", named or meant; {@code IfNotPresent} for all others. */
  static String pullPolicy(@Nullable String image) {
    if (image == null || image.length() > LONGEST) {
      return "IfNotPresent";
    }
    Matcher matcher = FORM.matcher(image);
    if (!matcher.matches()) {
      return "IfNotPresent";
    }
    String tag = matcher.group("tag");
    boolean latest = tag == null ? matcher.group("digest") == null : tag.equals("latest");
    return latest ? "Always" : "IfNotPresent";
  }
}
