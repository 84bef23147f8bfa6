package dev.stint.model.field;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Collects faults, so that all of a document are reported at once. */
public final class Faults {
  private final List<FieldError> faults = new ArrayList<>();

  /** What was collected, in the order of discovery. */
  public List<FieldError> list() {
    return List.copyOf(faults);
  }

  public boolean isEmpty() {
    return faults.isEmpty();
  }

  public void required(String path, String detail) {
    add(path, FieldError.Type.REQUIRED, detail);
  }

  public void invalid(String path, String detail) {
    add(path, FieldError.Type.INVALID, detail);
  }

  public void notSupported(String path, String value, Collection<String> supported) {
    add(path, FieldError.Type.NOT_SUPPORTED, Words.notOneOf(value, supported));
  }

  public void duplicate(String path, String detail) {
    add(path, FieldError.Type.DUPLICATE, detail);
  }

  public void forbidden(String path, String detail) {
    add(path, FieldError.Type.FORBIDDEN, detail);
  }

  public void notFound(String path, String detail) {
    add(path, FieldError.Type.NOT_FOUND, detail);
  }

  public void tooLong(String path, String detail) {
    add(path, FieldError.Type.TOO_LONG, detail);
  }

  public void tooMany(String path, int found, int most) {
    add(
        path,
        FieldError.Type.TOO_MANY,
        "has " + found + " items; at most " + most + " are allowed");
  }

  public void unknown(String path, String detail) {
    add(path, FieldError.Type.UNKNOWN, detail);
  }

  public void repeated(String path, String detail) {
    add(path, FieldError.Type.REPEATED, detail);
  }

  public void undecodable(String path, String detail) {
    add(path, FieldError.Type.UNDECODABLE, detail);
  }

  public void addAll(Collection<FieldError> more) {
    faults.addAll(more);
  }

  private void add(String path, FieldError.Type type, String detail) {
    faults.add(new FieldError(path, type, detail));
  }
}
