package dev.stint.controllers.mirror;

import java.util.Set;

/** The labels, annotations, finalizer and condition by which a mirror knows its Jobs. */
public final class MirrorNames {
  /** Label of a copy: the uid of the manager's Job that it is of. */
  public static final String OF = "stint.dev/mirror-of";

  /** Label of a copy: which cluster that Job is in, by the uid of its {@code kube-system}. */
  public static final String FROM = "stint.dev/mirror-from";

  /** Annotation of a copy: the {@code managedBy} of that Job, and so which mirror made the copy. */
  public static final String CLAIM = "stint.dev/mirror-claim";

  /** Annotation of a copy: the generation of that Job whose specification it has. */
  public static final String GENERATION = "stint.dev/mirror-generation";

  /** Annotation of a copy: what the pod template of that Job was when it was last taken over. */
  public static final String TEMPLATE = "stint.dev/mirror-template";

  /** Annotation of the manager's Job: the uid of its copy. */
  public static final String COPY = "stint.dev/mirror-copy";

  /**
   * Annotation of the manager's Job: which cluster its copy is in, by the uid of {@code
   * kube-system}.
   */
  public static final String WORKER = "stint.dev/mirror-worker";

  /** Finalizer of the manager's Job: it has, or may have, a copy. */
  public static final String FINALIZER = "stint.dev/mirror";

  /** Condition of the manager's Job: whether its status is that of its copy. */
  public static final String CONDITION = "stint.dev/Mirrored";

  /** Reason of {@code Failed}: somebody else deleted the copy. */
  public static final String COPY_DELETED = "MirrorCopyDeleted";

  /** Whose uid stands for a cluster: a namespace that every cluster has, from its first day on. */
  public static final String CLUSTER_NAMESPACE = "kube-system";

  static final Set<String> OURS = Set.of(OF, FROM, CLAIM, GENERATION, TEMPLATE, COPY, WORKER);

  private MirrorNames() {}
}
