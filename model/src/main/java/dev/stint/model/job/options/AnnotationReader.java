package dev.stint.model.job.options;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads annotations one by one, and collects the complaints about them. */
final class AnnotationReader {
  private final Function<String, @Nullable String> annotations;
  private final Map<String, String> complaints = new TreeMap<>();
  private boolean hasRead;

  /**
   * @param annotations returns the value of an annotation; null if there is none
   */
  AnnotationReader(Function<String, @Nullable String> annotations) {
    this.annotations = annotations;
  }

  /**
   * Returns the value of an annotation; null if there is none or it has a fault.
   *
   * @param form reads the text, or throws an {@link IllegalArgumentException} with the complaint
   */
  <T> @Nullable T read(String name, Function<String, T> form) {
    String text = annotations.apply(name);
    if (text == null) {
      return null;
    }
    hasRead = true;
    try {
      return form.apply(text);
    } catch (IllegalArgumentException fault) {
      complaints.put(name, String.valueOf(fault.getMessage()));
      return null;
    }
  }

  /** True if it has read an annotation, good or bad. */
  boolean hasRead() {
    return hasRead;
  }

  /** Returns the complaints so far, by the name of the annotation. */
  Map<String, String> complaints() {
    return Collections.unmodifiableMap(new TreeMap<>(complaints));
  }
}
