package dev.stint.controllers.mirror;

import dev.stint.model.KubeObject;
import dev.stint.model.job.mirror.Mirrored;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The labels, annotations, finalizer and condition of mirrored Jobs. */
public final class MirrorNames {
  /** Label of a copy: the uid of the manager's Job. */
  public static final String OF = "stint.dev/mirror-of";

  /** Label of a copy: the manager's cluster, by the uid of its {@code kube-system}. */
  static final String FROM = "stint.dev/mirror-from";

  /**
   * Annotation of a copy: the {@code managedBy} of the manager's Job, which identifies the mirror.
   */
  static final String CLAIM = "stint.dev/mirror-claim";

  /** Annotation of a copy: the generation of the manager's Job that its specification is from. */
  static final String GENERATION = "stint.dev/mirror-generation";

  /**
   * Annotation of a copy: the fingerprint of the manager's pod template when it was last copied.
   */
  static final String TEMPLATE = "stint.dev/mirror-template";

  /** Annotation of the manager's Job: the uid of its copy. */
  public static final String COPY = Mirrored.COPY;

  /**
   * Annotation of the manager's Job: the cluster of its copy, by the uid of {@code kube-system}.
   */
  static final String WORKER = Mirrored.CLUSTER;

  /** Annotation of the manager's Job: the name of the worker that it is assigned to. */
  public static final String ASSIGNED = Mirrored.ASSIGNED;

  /**
   * Annotation of the manager's Job and of its copy: how often the Job moved to another worker. A
   * copy from before the last move is not the Job's copy.
   */
  public static final String MOVES = "stint.dev/mirror-moves";

  /** Finalizer of the manager's Job: it has, or may have, a copy. */
  static final String FINALIZER = Mirrored.FINALIZER;

  /** Condition of the manager's Job: True if its status is that of its copy. */
  public static final String CONDITION = Mirrored.CONDITION;

  /** Reason of {@code Failed}: somebody else deleted the copy. */
  static final String COPY_DELETED = "MirrorCopyDeleted";

  /** The namespace whose uid identifies a cluster: every cluster has it, from its first day on. */
  static final String CLUSTER_NAMESPACE = "kube-system";

  static final Set<String> OURS =
      Set.of(OF, FROM, CLAIM, GENERATION, TEMPLATE, COPY, WORKER, ASSIGNED, MOVES);

  /**
   * More moves than any Job makes. A user may write any number, and arithmetic must not overflow.
   */
  static final long MOST_MOVES = 1L << 31;

  private MirrorNames() {}

  /** Returns the reasons of the condition if it is not True. */
  public static List<String> problems() {
    return Stream.of(MirrorProblem.Reason.values()).map(MirrorProblem.Reason::text).toList();
  }

  /**
   * Returns how often a Job has moved, or had when this copy of it was made; 0 if the annotation is
   * not a number from 0 to {@link #MOST_MOVES}.
   */
  static long moves(KubeObject job) {
    String text = job.annotation(MOVES);
    try {
      long moves = text == null ? 0 : Long.parseLong(text);
      return moves < 0 || moves > MOST_MOVES ? 0 : moves;
    } catch (NumberFormatException notOurs) {
      return 0;
    }
  }
}
