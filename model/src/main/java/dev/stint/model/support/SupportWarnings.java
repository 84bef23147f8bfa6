package dev.stint.model.support;

import dev.stint.model.Kind;
import dev.stint.model.field.FieldPath;
import java.util.List;

/** Warnings about valid objects of supporting kinds. */
public final class SupportWarnings {
  private SupportWarnings() {}

  /** Returns the warnings about a new or changed object; none for a kind without rules. */
  public static List<String> of(Kind kind, FieldPath object) {
    if (kind.equals(Kind.SECRET)) {
      return TlsSecretWarnings.of(object);
    }
    if (kind.equals(Kind.SERVICE_ACCOUNT)) {
      return ServiceAccountWarnings.of(object);
    }
    return kind.equals(Kind.NODE) ? NodeWarnings.of(object) : List.of();
  }
}
