package dev.stint.apiserver;

import dev.stint.apiserver.patch.FieldManager;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a write is carried out.
 *
 * @param dryRun whether everything happens but the writing
 * @param manager who is written down as the owner of what changes; null for nobody, as for what
 *     this process itself writes
 * @param admission has the last word
 * @param seenAs the kind that the writer knows the object by, where that is not the stored one; its
 *     rules hold
 * @param warnings collects what to tell the person who asks; null where nobody reads it
 */
public record WriteOptions(
    boolean dryRun,
    @Nullable FieldManager manager,
    Admission admission,
    @Nullable Kind seenAs,
    @Nullable Warnings warnings) {
  /** Written, by nobody in particular. */
  public static final WriteOptions PLAIN =
      new WriteOptions(false, null, (before, after) -> {}, null, null);

  /** Looks at a valid object right before it is written. */
  public interface Admission {
    /**
     * Throws where it must not be written.
     *
     * @param before what is there; null for a new object
     */
    void check(@Nullable KubeObject before, KubeObject after) throws ClusterException;
  }

  /** These options, without anything being written. */
  public WriteOptions dry(boolean dry) {
    return new WriteOptions(dry, manager, admission, seenAs, warnings);
  }

  /** These options in somebody's name. */
  public WriteOptions by(FieldManager changer) {
    return new WriteOptions(dryRun, changer, admission, seenAs, warnings);
  }

  /** These options with somebody who has the last word. */
  public WriteOptions admitted(Admission last) {
    return new WriteOptions(dryRun, manager, last, seenAs, warnings);
  }

  /** These options for an object that the writer knows by a kind. */
  public WriteOptions seenAs(Kind kind) {
    return new WriteOptions(dryRun, manager, admission, kind, warnings);
  }

  /** The kind whose rules hold for objects of a stored kind. */
  Kind rules(Kind stored) {
    return seenAs == null ? stored : seenAs;
  }

  /** These options in nobody's name. */
  WriteOptions byNobody() {
    return new WriteOptions(dryRun, null, admission, seenAs, warnings);
  }

  /** These options with somebody who collects warnings. */
  public WriteOptions warning(Warnings collected) {
    return new WriteOptions(dryRun, manager, admission, seenAs, collected);
  }

  /** Adds warnings, which are only made where somebody reads them. */
  void warn(Supplier<List<String>> texts) {
    if (warnings != null) {
      warnings.add(texts.get());
    }
  }
}
