package dev.stint.apiserver.flowcontrol;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;

/** The source of flow schemas and priority levels. */
public interface FlowControlSource {
  /**
   * Returns a number that changes whenever one of them is written or deleted. Called with every
   * request: must be fast.
   */
  long revision();

  /** Returns the objects of one of these kinds, at least as new as the revision last returned. */
  List<KubeObject> list(Kind kind);
}
