package dev.stint.apiextensions.rule.library;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import dev.cel.common.types.CelType;
import dev.stint.apiextensions.rule.cost.CostMeter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions of semantic versions. */
public final class SemverLibrary {
  private static final CelType TYPE = SemanticVersion.TYPE;

  private SemverLibrary() {}

  /** Adds the functions of this library. */
  public static void addTo(Functions functions) {
    functions.type(TYPE, SemanticVersion.class);
    functions.function("semver", TYPE, a -> read(a[0], false), STRING);
    functions.function("semver", TYPE, a -> read(a[0], (Boolean) a[1]), STRING, BOOL);
    functions.function("isSemver", BOOL, a -> parse(a[0], false) != null, STRING);
    functions.function("isSemver", BOOL, a -> parse(a[0], (Boolean) a[1]) != null, STRING, BOOL);
    functions.method("isGreaterThan", BOOL, a -> compare(a) > 0, TYPE, TYPE);
    functions.method("isLessThan", BOOL, a -> compare(a) < 0, TYPE, TYPE);
    functions.method("compareTo", INT, SemverLibrary::compare, TYPE, TYPE);
    List<String> numbers = List.of("major", "minor", "patch");
    for (int i = 0; i < numbers.size(); i++) {
      int index = i;
      functions.method(numbers.get(i), INT, a -> ((SemanticVersion) a[0]).number(index), TYPE);
    }
  }

  private static @Nullable SemanticVersion parse(Object text, boolean tolerantly) {
    String version = (String) text;
    CostMeter.chargeText(version.length());
    return tolerantly ? SemanticVersion.parseTolerantly(version) : SemanticVersion.parse(version);
  }

  private static SemanticVersion read(Object text, boolean tolerantly) {
    SemanticVersion version = parse(text, tolerantly);
    if (version == null) {
      throw new IllegalArgumentException("not a semantic version: " + text);
    }
    return version;
  }

  private static long compare(Object[] versions) {
    return Integer.signum(((SemanticVersion) versions[0]).compareTo((SemanticVersion) versions[1]));
  }
}
