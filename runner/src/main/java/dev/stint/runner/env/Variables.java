package dev.stint.runner.env;

import java.util.Map;

/**
 * The declared variables of one container.
 *
 * @param values by name, in their order, all references expanded
 * @param expansion counts what the container's texts expand to
 */
public record Variables(Map<String, String> values, Expansion expansion) {
  /** Returns variables whose values do not count. */
  public static Variables of(Map<String, String> values) {
    return new Variables(values, new Expansion());
  }

  /** Returns a text of the container with the references to these variables expanded. */
  public String expand(String text) throws ExpansionLimitException {
    return expansion.expand(text, values);
  }
}
