package dev.stint.cli.flag;

import dev.stint.model.field.Formats;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses devices: {@code example.com/license=4} for four of them, {@code nvidia.com/gpu=0,2} for
 * two by their IDs, {@code nvidia.com/gpu=2,} for one by its ID.
 */
public final class DeviceConverter implements ITypeConverter<NamedDevices> {
  /** Matches names of extended resources, which Kubernetes leaves to others. */
  private static final Pattern DOMAIN = Pattern.compile("(?!(.*\\.)?kubernetes\\.io/)[^/]+/.*");

  private static final Pattern COUNT = Pattern.compile("\\d{1,4}");
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}");

  @Override
  public NamedDevices convert(String text) {
    int equals = text.indexOf('=');
    String resource = text.substring(0, Math.max(0, equals));
    if (!DOMAIN.matcher(resource).matches() || Formats.qualifiedName(resource) != null) {
      throw refusal(text, "name a resource with a domain of its own");
    }
    String devices = text.substring(equals + 1);
    if (COUNT.matcher(devices).matches()) {
      int count = Integer.parseInt(devices);
      return new NamedDevices(
          resource, IntStream.range(0, count).mapToObj(Integer::toString).toList());
    }
    boolean isTooLarge = devices.chars().allMatch(Character::isDigit);
    List<String> ids = List.of(devices.split(","));
    if (isTooLarge || ids.isEmpty() || !ids.stream().allMatch(id -> ID.matcher(id).matches())) {
      throw refusal(text, "after the = comes a number up to 9999, or IDs with commas");
    }
    if (ids.stream().distinct().count() < ids.size()) {
      throw refusal(text, "an ID stands there twice");
    }
    return new NamedDevices(resource, ids);
  }

  private static TypeConversionException refusal(String text, String why) {
    return new TypeConversionException(
        "\"%s\" is not like example.com/license=4 or nvidia.com/gpu=0,1: %s".formatted(text, why));
  }
}
