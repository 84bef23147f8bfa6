package dev.stint.cli.doctor;

import dev.stint.model.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One thing that was looked at.
 *
 * @param subject a word or two
 * @param found in a few words
 * @param advice what to do about it; null if nothing
 */
record Finding(State state, String subject, String found, @Nullable String advice) {
  /** The verdict on a finding. */
  enum State {
    /** Works. */
    OK("ok"),
    /** Is missing or limited; stint run works without it. */
    NOTE("note"),
    /** Keeps stint run from working. */
    FAULT("FAULT");

    private final String word;

    State(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  static Finding ok(String subject, String found) {
    return new Finding(State.OK, subject, found, null);
  }

  static Finding note(String subject, String found, String advice) {
    return new Finding(State.NOTE, subject, found, advice);
  }

  static Finding fault(String subject, String found, String advice) {
    return new Finding(State.FAULT, subject, found, advice);
  }

  boolean isFault() {
    return state == State.FAULT;
  }

  ObjectNode json() {
    ObjectNode json =
        Json.object()
            .put("subject", subject)
            .put("state", state.word().toLowerCase(java.util.Locale.ROOT))
            .put("found", found);
    if (advice != null) {
      json.put("advice", advice);
    }
    return json;
  }
}
