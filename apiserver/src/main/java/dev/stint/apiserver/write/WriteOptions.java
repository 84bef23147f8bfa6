package dev.stint.apiserver.write;

import dev.stint.apiserver.patch.FieldManager;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The options of a write.
 *
 * @param dryRun true if everything is done but the write itself
 * @param manager becomes the owner of the changed fields; null for nobody, as for writes by this
 *     process itself
 * @param admission the final check before the write
 * @param seenAs the kind that the writer knows the object by, if that differs from the stored one;
 *     its rules apply
 * @param warnings collects warnings for the user; null if nobody reads them
 * @param user the name of the user who writes; empty for this process itself
 * @param annotations collects annotations for the audit log; null if there is none
 */
public record WriteOptions(
    boolean dryRun,
    @Nullable FieldManager manager,
    Admission admission,
    @Nullable Kind seenAs,
    @Nullable Warnings warnings,
    String user,
    @Nullable AuditAnnotations annotations) {
  /** Options of a write without a field manager. */
  public static final WriteOptions PLAIN =
      new WriteOptions(false, null, (before, after) -> {}, null, null, "", null);

  /** Checks a valid object right before it is written. */
  public interface Admission {
    /**
     * Throws if the object must not be written.
     *
     * @param before the stored object; null for a new one
     */
    void check(@Nullable KubeObject before, KubeObject after) throws ClusterException;
  }

  /** Returns these options with dry run on or off. */
  public WriteOptions dry(boolean dry) {
    return new WriteOptions(dry, manager, admission, seenAs, warnings, user, annotations);
  }

  /** Returns these options with a field manager. */
  public WriteOptions by(FieldManager changer) {
    return new WriteOptions(dryRun, changer, admission, seenAs, warnings, user, annotations);
  }

  /** Returns these options with a final admission check. */
  public WriteOptions admitted(Admission last) {
    return new WriteOptions(dryRun, manager, last, seenAs, warnings, user, annotations);
  }

  /** Returns these options for a writer that knows the object by another kind. */
  public WriteOptions seenAs(Kind kind) {
    return new WriteOptions(dryRun, manager, admission, kind, warnings, user, annotations);
  }

  /** Returns the kind whose rules apply to objects of a stored kind. */
  public Kind rules(Kind stored) {
    return seenAs == null ? stored : seenAs;
  }

  /** Returns these options without a field manager. */
  public WriteOptions byNobody() {
    return new WriteOptions(dryRun, null, admission, seenAs, warnings, user, annotations);
  }

  /** Returns these options with a collector of warnings. */
  public WriteOptions warning(Warnings collected) {
    return new WriteOptions(dryRun, manager, admission, seenAs, collected, user, annotations);
  }

  /** Adds warnings, which are made only if somebody reads them. */
  public void warn(Supplier<List<String>> texts) {
    if (warnings != null) {
      warnings.add(texts.get());
    }
  }

  /** Returns these options for the request of a user. */
  public WriteOptions of(String requester, AuditAnnotations collected) {
    return new WriteOptions(dryRun, manager, admission, seenAs, warnings, requester, collected);
  }

  /** True if somebody reads warnings or annotations. */
  public boolean isObserved() {
    return warnings != null || annotations != null;
  }

  /** Adds annotations for the audit log. */
  public void annotate(Map<String, String> more) {
    if (annotations != null) {
      annotations.add(more);
    }
  }
}
