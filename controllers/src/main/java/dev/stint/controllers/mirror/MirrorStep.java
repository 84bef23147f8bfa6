package dev.stint.controllers.mirror;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.KubeObject;
import java.util.List;

/** What to do next for one Job. After each step one looks again. */
public sealed interface MirrorStep {
  /** Nothing, until something changes. */
  record Rest() implements MirrorStep {}

  /** The manager's Job gets the finalizer, so that it does not go before its copy. */
  record Hold(KubeObject job) implements MirrorStep {}

  /** The worker gets a copy. */
  record Create(KubeObject copy) implements MirrorStep {}

  /** The manager's Job is told which its copy is, and in which cluster. */
  record Note(KubeObject job, String copyUid, String worker) implements MirrorStep {}

  /** The copy gets another specification. */
  record Change(KubeObject copy) implements MirrorStep {}

  /** The copy is nobody's copy any more, and stays. */
  record CutLoose(KubeObject copy) implements MirrorStep {}

  /** The copy goes. */
  record Remove(KubeObject copy, Propagation propagation) implements MirrorStep {}

  /**
   * There is no copy any more where one should be: which cluster is it that says so, and are there
   * pods of it? They are deleted.
   */
  record Inspect(KubeObject job, String copyUid, String worker) implements MirrorStep {}

  /**
   * The manager's Job gets another status, and an event where that tells of something new.
   *
   * @param events none or more
   */
  record Report(KubeObject job, List<News> events) implements MirrorStep {}

  /** The manager's Job may go. */
  record LetGo(KubeObject job) implements MirrorStep {}

  /** An event. */
  record News(boolean warning, String reason, String message) {}
}
