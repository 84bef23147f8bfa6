package dev.stint.cli.config;

import java.util.List;

/**
 * The configured value of one flag.
 *
 * @param values the values as they would be written on the command line; several for a flag that
 *     may be repeated
 * @param level the kind of place that it comes from
 * @param place the place in words: {@code STINT_MAX_PODS}, or {@code FILE:LINE (up.max-pods)}
 */
record Setting(List<String> values, Level level, String place) {
  /** The separator of several values of a flag; no command line can contain it. */
  static final String SEPARATOR = "\0";

  Setting {
    values = List.copyOf(values);
  }
}
