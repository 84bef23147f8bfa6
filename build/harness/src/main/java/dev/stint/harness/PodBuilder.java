package dev.stint.harness;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;

/** Builds pods for tests. Unless told otherwise, a pod has one container, {@code main}. */
public final class PodBuilder extends ObjectBuilder<PodBuilder> {
  private PodBuilder(String name) {
    super(Kind.POD, name);
    spec().put("restartPolicy", "Never");
    command();
  }

  /** Begins a pod with what it must have. */
  public static PodBuilder named(String name) {
    return new PodBuilder(name);
  }

  /** Begins a pod as the Job controller creates it. */
  public static PodBuilder of(KubeObject job, String name) {
    return named(name).ownedBy(job).finalizers(Names.TRACKING_FINALIZER);
  }

  @Override
  PodBuilder self() {
    return this;
  }

  /** Sets the owner, and the labels that name it. */
  public PodBuilder ownedBy(KubeObject job) {
    metadata()
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", job.apiVersion())
        .put("kind", job.kindName())
        .put("name", job.name())
        .put("uid", job.uid())
        .put("controller", true);
    return label(Names.JOB_NAME, job.name()).label(Names.CONTROLLER_UID, job.uid());
  }

  /** Sets the completion index. */
  public PodBuilder index(int index) {
    String text = Integer.toString(index);
    return label(Names.COMPLETION_INDEX, text).annotation(Names.COMPLETION_INDEX, text);
  }

  public PodBuilder onNode(String node) {
    spec().put("nodeName", node);
    return this;
  }

  /** Sets the command of the only container. */
  public PodBuilder command(String... command) {
    spec().putArray("containers").add(newContainer("main", command));
    return this;
  }

  public PodBuilder phase(String phase) {
    status().put("phase", phase);
    return this;
  }

  public PodBuilder running() {
    return phase("Running");
  }
}
