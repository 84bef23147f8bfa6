package dev.stint.cli.flag;

import dev.stint.apiserver.selector.LabelSelector;
import dev.stint.cluster.ClusterException;
import dev.stint.model.field.Formats;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses selectors of workers: {@code east=team=red}, {@code east=tier notin (batch)}. */
public final class NamedSelectorConverter implements ITypeConverter<NamedSelector> {
  @Override
  public NamedSelector convert(String text) {
    int equals = text.indexOf('=');
    String name = text.substring(0, Math.max(0, equals));
    if (!Formats.isDnsLabel(name)) {
      throw refusal(text, "it begins with the name of a worker");
    }
    try {
      LabelSelector selector = LabelSelector.parse(text.substring(equals + 1));
      if (selector.isEverything()) {
        throw refusal(text, "without labels, the worker takes all Jobs; remove the flag");
      }
      return new NamedSelector(name, selector);
    } catch (ClusterException fault) {
      throw refusal(text, String.valueOf(fault.getMessage()));
    }
  }

  private static TypeConversionException refusal(String text, String why) {
    return new TypeConversionException(
        "\"%s\" is not like east=team=red,tier!=batch: %s".formatted(text, why));
  }
}
