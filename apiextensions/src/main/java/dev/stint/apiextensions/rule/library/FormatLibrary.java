package dev.stint.apiextensions.rule.library;

import static dev.cel.common.types.SimpleType.STRING;

import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.stint.apiextensions.rule.cost.CostMeter;
import java.util.List;
import java.util.Optional;

/** Functions of named formats. */
public final class FormatLibrary {
  private FormatLibrary() {}

  /** Adds {@code format.named}, a function for each named format, and {@code validate}. */
  public static void addTo(Functions functions) {
    functions.type(NamedFormat.TYPE, NamedFormat.class);
    functions.function(
        "format.named",
        OptionalType.create(NamedFormat.TYPE),
        a -> Optional.ofNullable(NamedFormat.all().get((String) a[0])),
        STRING);
    NamedFormat.all()
        .forEach(
            (name, format) -> functions.function("format." + name, NamedFormat.TYPE, _ -> format));
    functions.method(
        "validate",
        OptionalType.create(ListType.create(STRING)),
        a -> faults((NamedFormat) a[0], (String) a[1]),
        NamedFormat.TYPE,
        STRING);
  }

  private static Optional<List<String>> faults(NamedFormat format, String text) {
    CostMeter.chargeText(10L * text.length());
    return Optional.ofNullable(format.fault(text)).map(List::of);
  }
}
