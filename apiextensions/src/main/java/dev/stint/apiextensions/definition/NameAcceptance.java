package dev.stint.apiextensions.definition;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of a definition that are accepted: those that no other definition of its group has, and
 * those that were accepted before.
 *
 * @param accepted a name that is not accepted is as before; empty if there was none
 * @param conflict null if all names are accepted
 */
public record NameAcceptance(DefinitionNames accepted, @Nullable Conflict conflict) {
  /**
   * Why not all names are accepted.
   *
   * @param reason such as {@code KindConflict}
   */
  public record Conflict(String reason, String message) {}

  /**
   * Decides on names.
   *
   * @param wanted the names that the definition asks for
   * @param before the names that it was given so far
   * @param others the accepted names of the other definitions of its group
   */
  public static NameAcceptance of(
      DefinitionNames wanted, DefinitionNames before, Collection<DefinitionNames> others) {
    return new NameCheck(others).of(wanted, before);
  }

  /** The names that are taken, and the last conflict with them. */
  private static final class NameCheck {
    private final Set<String> resources = new HashSet<>();
    private final Set<String> kinds = new HashSet<>();
    private @Nullable Conflict conflict;

    NameCheck(Collection<DefinitionNames> others) {
      for (DefinitionNames other : others) {
        resources.add(other.plural());
        resources.add(other.singular());
        resources.addAll(other.shortNames());
        kinds.add(other.kind());
        kinds.add(other.listKind());
      }
    }

    NameAcceptance of(DefinitionNames wanted, DefinitionNames before) {
      DefinitionNames accepted =
          new DefinitionNames(
              one(wanted.plural(), before.plural(), resources, "PluralConflict"),
              one(wanted.singular(), before.singular(), resources, "SingularConflict"),
              one(wanted.kind(), before.kind(), kinds, "KindConflict"),
              one(wanted.listKind(), before.listKind(), kinds, "ListKindConflict"),
              shortNames(wanted.shortNames(), before.shortNames()),
              wanted.categories());
      return new NameAcceptance(accepted, conflict);
    }

    private String one(String wanted, String before, Set<String> taken, String reason) {
      if (wanted.equals(before) || !taken.contains(wanted)) {
        return wanted;
      }
      conflict = new Conflict(reason, inUse(wanted));
      return before;
    }

    private List<String> shortNames(List<String> wanted, List<String> before) {
      List<String> faults = new ArrayList<>();
      for (String name : wanted) {
        if (!before.contains(name) && resources.contains(name)) {
          faults.add(inUse(name));
        }
      }
      if (faults.isEmpty()) {
        return wanted;
      }
      String all = String.join(", ", faults);
      conflict = new Conflict("ShortNamesConflict", faults.size() == 1 ? all : "[" + all + "]");
      return before;
    }

    private static String inUse(String name) {
      return '"' + name + "\" is already in use";
    }
  }
}
