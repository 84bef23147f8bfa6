package dev.stint.model.field;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects faults, so that all faults of a document are reported at once: the first {@link #MOST}.
 */
public final class FieldErrors {
  /**
   * The maximum number of faults that are kept. Nobody reads more, and a body of a few megabytes
   * can have millions, each of which takes many times as much memory as what it is about.
   */
  public static final int MOST = 1_000;

  private final List<FieldError> faults = new ArrayList<>();

  /** Returns the collected faults, in the order of discovery. */
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

  public void notSupported(String path, String detail) {
    add(path, FieldError.Type.NOT_SUPPORTED, detail);
  }

  public void notSupported(String path, String value, Collection<String> supported) {
    notSupported(path, MessagePhrases.notOneOf(value, supported));
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

  public void required(FieldPath at, String detail) {
    required(at.path(), detail);
  }

  public void invalid(FieldPath at, String detail) {
    add(at, FieldError.Type.INVALID, detail);
  }

  /** Adds a fault if a check of {@link Formats} returned one. */
  public void invalidUnlessSound(FieldPath at, @Nullable String complaint) {
    if (complaint != null) {
      invalid(at, complaint);
    }
  }

  public void notSupported(FieldPath at, Collection<String> supported) {
    add(at, FieldError.Type.NOT_SUPPORTED, MessagePhrases.notOneOf(at.text(), supported));
  }

  /** Adds a fault if there is a text that is not supported. */
  public void notSupportedUnlessIn(FieldPath at, Collection<String> supported) {
    if (at.exists() && !supported.contains(at.text())) {
      notSupported(at, supported);
    }
  }

  /** Adds a fault if there is a negative number. */
  public void invalidIfNegative(FieldPath at) {
    if (at.count() < 0) {
      invalid(at, at.count() + " must be greater than or equal to 0");
    }
  }

  public void duplicate(FieldPath at, String detail) {
    add(at, FieldError.Type.DUPLICATE, detail);
  }

  public void forbidden(FieldPath at, String detail) {
    forbidden(at.path(), detail);
  }

  /** Adds a fault for a check that could not be made. */
  public void internal(FieldPath at, String detail) {
    add(at.path(), FieldError.Type.INTERNAL, detail);
  }

  public void notFound(FieldPath at, String detail) {
    add(at, FieldError.Type.NOT_FOUND, detail);
  }

  /** Adds a fault, unless there are {@link #MOST} already. */
  public void add(FieldError fault) {
    if (faults.size() < MOST) {
      faults.add(fault);
    }
  }

  public void addAll(Collection<FieldError> more) {
    more.forEach(this::add);
  }

  private void add(FieldPath at, FieldError.Type type, String detail) {
    add(new FieldError(at.path(), type, detail, at.exists() ? at.node() : null));
  }

  private void add(String path, FieldError.Type type, String detail) {
    add(new FieldError(path, type, detail));
  }
}
