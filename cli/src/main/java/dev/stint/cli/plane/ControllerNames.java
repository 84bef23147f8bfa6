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
    Set<ControllerName> chosen = EnumSet.noneOf(ControllerName.class);
    switch (text) {
      case "all" -> chosen.addAll(EnumSet.allOf(ControllerName.class));
      case "none" -> {}
      default ->
          Arrays.stream(text.split(",", -1)).map(ControllerNames::named).forEach(chosen::add);
    }
    return chosen;
  }

  private static ControllerName named(String text) {
    return Arrays.stream(ControllerName.values())
        .filter(name -> flag(name).equals(text.strip()))
        .findFirst()
        .orElseThrow(() ->
            new UserException(
                "--controllers: unknown controller \"%s\"; use all, none, or a list of %s"
                    .formatted(
                        text,
                        Arrays.stream(ControllerName.values())
                            .map(ControllerNames::flag)
                            .collect(Collectors.joining(",")))));
  }

  private static String flag(ControllerName name) {
    return name.name().toLowerCase(Locale.ROOT);
  }
}
