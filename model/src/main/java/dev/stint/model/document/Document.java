package dev.stint.model.document;

import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import java.util.List;

/**
 * One object as it was written.
 *
 * @param sourceName the name of the file in messages
 * @param line the first line of the document in its file, from 1
 * @param object the object, as far as it could be decoded
 * @param faults the faults of decoding; the object may only be used if there are none
 * @param lines the lines of its fields
 */
public record Document(
    String sourceName,
    int line,
    KubeObject object,
    List<FieldError> faults,
    FieldLineNumbers lines) {
  public Document {
    faults = List.copyOf(faults);
  }

  /**
   * Describes a fault in one line for the user: {@code job.yaml:14: spec.parallelism: must be ...}.
   * A missing field is reported at the line of the nearest field around it.
   */
  public String describe(FieldError fault) {
    return sourceName + ":" + lines.of(fault.path()) + ": " + fault;
  }
}
