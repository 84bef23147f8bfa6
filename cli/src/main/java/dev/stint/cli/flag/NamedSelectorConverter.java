package dev.stint.cli.flag;

import dev.stint.model.field.Formats;
import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses selectors of workers: {@code east=team=red,tier!=batch}. */
public final class NamedSelectorConverter implements ITypeConverter<NamedSelector> {
  @Override
  public NamedSelector convert(String text) {
    int equals = text.indexOf('=');
    String name = text.substring(0, Math.max(0, equals));
    if (!Formats.isDnsLabel(name)) {
      throw refusal(text, "it begins with the name of a worker");
    }
    return new NamedSelector(
        name,
        Arrays.stream(text.substring(equals + 1).split(",", -1))
            .map(term -> term(text, term))
            .toList());
  }

  private static NamedSelector.NameRequirement term(String text, String term) {
    int equals = term.indexOf('=');
    boolean isEqual = equals < 1 || term.charAt(equals - 1) != '!';
    String key = term.substring(0, Math.max(0, isEqual ? equals : equals - 1));
    String value = term.substring(equals + 1);
    if (Formats.qualifiedName(key) != null || Formats.labelValue(value) != null) {
      throw refusal(text, "\"%s\" is not like label=value or label!=value".formatted(term));
    }
    return new NamedSelector.NameRequirement(key, value, isEqual);
  }

  private static TypeConversionException refusal(String text, String why) {
    return new TypeConversionException(
        "\"%s\" is not like east=team=red,tier!=batch: %s".formatted(text, why));
  }
}
