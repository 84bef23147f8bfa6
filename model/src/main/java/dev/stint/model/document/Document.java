package dev.stint.model.document;

import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import java.util.List;

/**
 * One object as somebody wrote it.
 *
 * @param sourceName the file, as messages name it
 * @param line the first line of the document in its file, from 1
 * @param object the object, as far as it could be decoded
 * @param faults what could not be decoded; the object may only be used where there are none
 * @param lines where its fields stand
 */
public record Document(
    String sourceName, int line, KubeObject object, List<FieldError> faults, FieldLines lines) {
  public Document {
    faults = List.copyOf(faults);
  }

  /**
   * A fault as one line for the user: {@code job.yaml:14: spec.parallelism: must be ...}. A field
   * that is not there is reported at the line of the nearest field around it.
   */
  public String describe(FieldError fault) {
    return sourceName + ":" + lines.of(fault.path()) + ": " + fault;
  }
}
