package dev.stint.cli.file;

import dev.stint.model.field.FieldError;
import java.util.Set;

/**
 * Decides whether one fault may be only the consequence of another one. A value that cannot be read
 * is left out, and its absence breaks rules that its author never broke.
 */
final class FaultConsequences {
  /** Faults of a value alone, whatever the fields around it hold. */
  private static final Set<FieldError.Type> OF_ITSELF =
      Set.of(
          FieldError.Type.NOT_SUPPORTED,
          FieldError.Type.TOO_LONG,
          FieldError.Type.TOO_MANY,
          FieldError.Type.DUPLICATE);

  /** Fields that rules rarely look across. */
  private static final Set<String> BORDERS = Set.of("template", "jobTemplate");

  private FaultConsequences() {}

  /**
   * True if the fault may be a consequence of the cause. Errs on the side of silence: a hidden
   * fault is reported once the first one is fixed.
   *
   * @param cause a value that could not be read
   * @param fault a rule that the rest breaks
   */
  static boolean isConsequence(FieldError cause, FieldError fault) {
    if (cause.type() != FieldError.Type.UNDECODABLE) {
      return false;
    }
    if (isWithin(fault.path(), cause.path()) || isWithin(cause.path(), fault.path())) {
      return true;
    }
    if (OF_ITSELF.contains(fault.type())) {
      return false;
    }
    return fault.type() == FieldError.Type.NOT_FOUND || isAround(cause.path(), fault.path());
  }

  /** True if the fault is in the object that holds the cause, on the same side of borders. */
  private static boolean isAround(String cause, String fault) {
    String parent = parent(cause);
    if (!isWithin(fault, parent)) {
      return false;
    }
    String rest = fault.substring(parent.length()).replaceFirst("^\\.", "");
    return !BORDERS.contains(rest.split("[.\\[]", 2)[0]);
  }

  private static boolean isWithin(String path, String outer) {
    return path.startsWith(outer)
        && (outer.isEmpty()
            || path.length() == outer.length()
            || ".[".indexOf(path.charAt(outer.length())) >= 0);
  }

  private static String parent(String path) {
    int end = path.endsWith("]") ? path.lastIndexOf('[') : path.lastIndexOf('.');
    return path.substring(0, Math.max(end, 0));
  }
}
