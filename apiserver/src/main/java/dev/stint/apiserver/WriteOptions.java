package dev.stint.apiserver;

import dev.stint.apiserver.patch.FieldManager;
import org.jspecify.annotations.Nullable;

/**
 * How a write is carried out.
 *
 * @param dryRun whether everything happens but the writing
 * @param manager who is written down as the owner of what changes; null for nobody, as for what
 *     this process itself writes
 */
public record WriteOptions(boolean dryRun, @Nullable FieldManager manager) {
  /** Written, by nobody in particular. */
  public static final WriteOptions PLAIN = new WriteOptions(false, null);

  /** These options in somebody's name. */
  public WriteOptions by(FieldManager changer) {
    return new WriteOptions(dryRun, changer);
  }
}
