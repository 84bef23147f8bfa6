package dev.stint.bench.mutation;

import java.util.Locale;

/** The part of a request that a mutation changes. */
public enum MutationKind {
  NOTHING,
  METHOD,
  PATH,
  QUERY,
  SELECTOR,
  HEADER,
  JSON_STRUCTURE,
  JSON_NUMBER,
  JSON_STRING,
  DUPLICATE_KEY,
  NESTING,
  BYTES,
  YAML,
  PATCH,
  PROTOBUF,
  SEVERAL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
