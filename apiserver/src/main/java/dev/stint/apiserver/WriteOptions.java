package dev.stint.apiserver;

import dev.stint.apiserver.patch.FieldManager;
import dev.stint.cluster.ClusterException;
import dev.stint.model.KubeObject;
import org.jspecify.annotations.Nullable;

/**
 * How a write is carried out.
 *
 * @param dryRun whether everything happens but the writing
 * @param manager who is written down as the owner of what changes; null for nobody, as for what
 *     this process itself writes
 * @param admission has the last word
 */
public record WriteOptions(boolean dryRun, @Nullable FieldManager manager, Admission admission) {
  /** Written, by nobody in particular. */
  public static final WriteOptions PLAIN = new WriteOptions(false, null, (before, after) -> {});

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
    return new WriteOptions(dry, manager, admission);
  }

  /** These options in somebody's name. */
  public WriteOptions by(FieldManager changer) {
    return new WriteOptions(dryRun, changer, admission);
  }

  /** These options with somebody who has the last word. */
  public WriteOptions admitted(Admission last) {
    return new WriteOptions(dryRun, manager, last);
  }
}
