package dev.stint.cli.list;

import dev.stint.jobs.Rerun;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.KubeObject;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * The list of a requested Job, and what tells whether another Job has the same one.
 *
 * @param digest equal for the same command with the same list
 * @param command equal for the same command, whatever the list
 * @param positional true if the command depends on the position of its line
 * @param named true if the user named the Job
 * @param left the members of the specification that the user did not state
 */
public record RequestedList(
    ItemList items,
    String digest,
    String command,
    boolean positional,
    boolean named,
    Set<String> left) {
  /** The beginning of a name that nobody chose. */
  static final String NAME_PREFIX = "each-";

  /** Adds to a document what {@link #isSameList} and {@link #isSameCommand} look for. */
  public void annotate(ObjectNode job) {
    job.withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put(RunAnnotations.EACH, digest)
        .put(RunAnnotations.EACH_COMMAND, command);
  }

  /** True if a Job runs the same command for the same lines. */
  public boolean isSameList(KubeObject job) {
    return isSameCommand(job) && digest.equals(job.annotation(RunAnnotations.EACH));
  }

  /** True if a Job runs the same command. */
  public boolean isSameCommand(KubeObject job) {
    String other = job.annotation(RunAnnotations.EACH_COMMAND);
    // A Job of a Stint that did not write this yet: its other digest is of command and list.
    return other == null
        ? digest.equals(job.annotation(RunAnnotations.EACH))
        : command.equals(other);
  }

  /**
   * True if a Job may have run lines of this list: the Job itself, its reruns, and Jobs of the same
   * list under a name that nobody chose.
   */
  public boolean isRelated(String name, KubeObject job) {
    return job.name().equals(name)
        || isSameCommand(job)
            && (Rerun.isRerunOf(name, job)
                || !named && isSameList(job) && job.name().startsWith(NAME_PREFIX));
  }
}
