package dev.stint.apiextensions.definition;

import dev.stint.apiextensions.schema.Keywords;
import dev.stint.model.field.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One version is stored, and each has a name of its own. */
final class VersionRules {
  private static final int LONGEST_WARNING = 256;

  private VersionRules() {}

  static void check(Keywords spec, List<Keywords> versions) {
    long stored = versions.stream().filter(version -> version.isTrue("storage")).count();
    if (stored != 1) {
      Reports.invalid(spec, "versions", "must have exactly one version marked as storage version");
    }
    Set<String> names = new HashSet<>();
    boolean unique = true;
    for (Keywords version : versions) {
      unique &= names.add(version.text("name"));
      Reports.label(version, "name", version.text("name"));
      warning(version);
      flag(version, "served");
      flag(version, "storage");
    }
    if (!unique) {
      Reports.invalid(spec, "versions", "must contain unique version names");
    }
  }

  private static void flag(Keywords version, String name) {
    if (!version.has(name)) {
      Reports.required(version, name, "is required");
    }
  }

  private static void warning(Keywords version) {
    String warning = version.textOrNull("deprecationWarning");
    if (warning == null) {
      return;
    }
    if (!version.isTrue("deprecated")) {
      Reports.invalid(version, "deprecationWarning", "can only be set for deprecated versions");
    }
    if (warning.isEmpty()) {
      Reports.invalid(version, "deprecationWarning", "must not be empty, omit or set to null");
    }
    if (warning.length() > LONGEST_WARNING) {
      Reports.add(
          version,
          "deprecationWarning",
          FieldError.Type.TOO_LONG,
          "may not be more than " + LONGEST_WARNING + " bytes",
          null);
    }
    if (warning.codePoints().anyMatch(Character::isISOControl)) {
      Reports.invalid(
          version,
          "deprecationWarning",
          "must only contain printable UTF-8 characters; non-printable character found");
    }
  }
}
