package dev.stint.bench.history;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The answer to a request. */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
public sealed interface Outcome {

  /** Carried out; this is the object afterwards. */
  record Shown(Version version) implements Outcome {}

  /** Carried out: the object is gone. */
  record Deleted() implements Outcome {}

  /** Not carried out, since there is no such object. */
  record Absent() implements Outcome {}

  /** Not carried out, since there is such an object already. */
  record Exists() implements Outcome {}

  /** Not carried out, since the object is not the one that the request is based on. */
  record Conflict() implements Outcome {}

  /**
   * No answer, or one that leaves it open: carried out until the end of the operation, or never.
   */
  record Unknown() implements Outcome {}
}
