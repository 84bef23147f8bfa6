package dev.stint.cli.plane;

import dev.stint.cli.output.UserException;
import dev.stint.embedded.ControllerName;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Parses the value of {@code --controllers}: {@code all}, {@code none}, or a list. */
public final class ControllerNames {
  private ControllerNames() {}

  /**
   * Parses the flag's value.
   *
   * @throws UserException if a name is unknown
   */
  public static Set<ControllerName> parse(String text) {
    return parse("--controllers", text);
  }

  /**
   * Parses the value of another flag, or of a variable.
   *
   * @param flag its name, for the message
   * @throws UserException if a name is unknown
   */
  public static Set<ControllerName> parse(String flag, String text) {
    Set<ControllerName> chosen = EnumSet.noneOf(ControllerName.class);
    switch (text) {
      case "all" -> chosen.addAll(EnumSet.allOf(ControllerName.class));
      case "none" -> {}
      default ->
          Arrays.stream(text.split(",", -1)).map(name -> named(flag, name)).forEach(chosen::add);
    }
    return chosen;
  }

  private static ControllerName named(String flag, String text) {
    return Arrays.stream(ControllerName.values())
        .filter(name -> text(name).equals(text.strip()))
        .findFirst()
        .orElseThrow(() ->
            new UserException(
                "%s: unknown controller \"%s\"; use all, none, or a list of %s"
                    .formatted(
                        flag,
                        text,
                        Arrays.stream(ControllerName.values())
                            .map(ControllerNames::text)
                            .collect(Collectors.joining(",")))));
  }

  private static String text(ControllerName name) {
    return name.name().toLowerCase(Locale.ROOT);
  }
}
