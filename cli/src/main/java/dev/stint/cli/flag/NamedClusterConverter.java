package dev.stint.cli.flag;

import dev.stint.model.field.Formats;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses clusters: {@code east=FILE}, or {@code east=FILE:CONTEXT}. A context may have colons, so
 * the path of a file cannot.
 */
public final class NamedClusterConverter implements ITypeConverter<NamedCluster> {
  @Override
  public NamedCluster convert(String text) {
    int equals = text.indexOf('=');
    String name = text.substring(0, Math.max(0, equals));
    String place = text.substring(equals + 1);
    int colon = place.indexOf(':');
    String file = colon < 0 ? place : place.substring(0, colon);
    if (!Formats.isDnsLabel(name) || file.isEmpty() || colon == place.length() - 1) {
      throw new TypeConversionException(
          "\"%s\" is not like east=FILE or east=FILE:CONTEXT, with a name of lower-case letters, digits and '-'"
              .formatted(text));
    }
    return new NamedCluster(name, Path.of(file), colon < 0 ? null : place.substring(colon + 1));
  }
}
