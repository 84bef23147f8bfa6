package dev.stint.apiserver;

import dev.stint.apiserver.patch.FieldManager;
import dev.stint.cluster.ClusterException;
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
 * @param warnings collects what to tell the person who asks; null where nobody reads it
 */
public record WriteOptions(
    boolean dryRun,
    @Nullable FieldManager manager,
    Admission admission,
    @Nullable Warnings warnings) {
  /** Written, by nobody in particular. */
  public static final WriteOptions PLAIN =
      new WriteOptions(false, null, (before, after) -> {}, null);

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
    return new WriteOptions(dry, manager, admission, warnings);
  }

  /** These options in somebody's name. */
  public WriteOptions by(FieldManager changer) {
    return new WriteOptions(dryRun, changer, admission, warnings);
  }

  /** These options with somebody who has the last word. */
  public WriteOptions admitted(Admission last) {
    return new WriteOptions(dryRun, manager, last, warnings);
  }

  /** These options in nobody's name. */
  WriteOptions byNobody() {
    return new WriteOptions(dryRun, null, admission, warnings);
  }

  /** These options with somebody who collects warnings. */
  public WriteOptions warning(Warnings collected) {
    return new WriteOptions(dryRun, manager, admission, collected);
  }

  /** Adds warnings, which are only made where somebody reads them. */
  void warn(Supplier<List<String>> texts) {
    if (warnings != null) {
      warnings.add(texts.get());
    }
  }
}
