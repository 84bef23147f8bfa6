package dev.stint.cli.exec;

import dev.stint.cli.output.UserException;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.pod.PodPhase;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The choice of one of a Job's running pods.
 *
 * @param job the Job's name, for messages
 * @param index the pod's completion index; null for any
 * @param pod the pod's name; null for any
 */
record PodChoice(String job, @Nullable Integer index, @Nullable String pod) {
  private static final int SHOWN = 5;

  /**
   * Returns the pod. One that is being deleted counts only if no other one runs.
   *
   * @param pods all pods of the Job
   * @throws UserException if none is chosen, or several are
   */
  KubeObject of(List<KubeObject> pods) {
    List<KubeObject> running =
        pods.stream().filter(each -> PodPhase.of(each) == PodPhase.Running).toList();
    List<KubeObject> chosen = running.stream().filter(this::isChosen).toList();
    List<KubeObject> staying =
        chosen.stream().filter(each -> each.deletionTimestamp() == null).toList();
    List<KubeObject> found = staying.isEmpty() ? chosen : staying;
    if (found.isEmpty()) {
      throw none(pods, running);
    }
    if (found.size() > 1) {
      throw new UserException(
          "%s has %d running pods%s; choose one with %s"
              .formatted(
                  job, found.size(), index == null ? "" : " of index " + index, listed(found)));
    }
    return found.getFirst();
  }

  private boolean isChosen(KubeObject candidate) {
    return (pod == null || pod.equals(candidate.name()))
        && (index == null || index.toString().equals(indexOf(candidate)));
  }

  private UserException none(List<KubeObject> pods, List<KubeObject> running) {
    if (pod != null && pods.stream().noneMatch(each -> each.name().equals(pod))) {
      return new UserException("%s has no pod \"%s\"%s".formatted(job, pod, others(running)));
    }
    String what =
        pod != null && index == null
            ? "the pod \"%s\" of %s is not running".formatted(pod, job)
            : "no pod of " + (index == null ? "" : "index " + index + " of ") + job + " is running";
    return new UserException(what + others(running));
  }

  private String others(List<KubeObject> running) {
    return running.isEmpty()
        ? "; stint attempts %s lists those that were".formatted(job)
        : "; those that are: " + listed(running);
  }

  /** Returns the flags that choose some of these pods: by their indexes, if that is enough. */
  private String listed(List<KubeObject> pods) {
    Set<String> indexes = pods.stream().map(PodChoice::indexOf).collect(Collectors.toSet());
    boolean isIndexed = indexes.size() == pods.size() && !indexes.contains("");
    List<KubeObject> sorted =
        pods.stream()
            .sorted(Comparator.comparingInt(PodChoice::indexNumber).thenComparing(KubeObject::name))
            .toList();
    String first =
        sorted.stream()
            .limit(SHOWN)
            .map(each -> isIndexed ? "--index " + indexOf(each) : "--pod " + each.name())
            .collect(Collectors.joining(", "));
    return first + (pods.size() > SHOWN ? ", …" : "");
  }

  private static int indexNumber(KubeObject pod) {
    String text = indexOf(pod);
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
  }

  private static String indexOf(KubeObject pod) {
    String text = pod.annotation(Names.COMPLETION_INDEX);
    return text == null ? "" : text;
  }
}
