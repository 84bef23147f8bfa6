package dev.stint.apiextensions.rule.cost;

import dev.cel.common.values.CelByteString;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operands and the result of a call that a running rule has made. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OperandValues(@Nullable Object[] operands, Object value) implements Operands {
  private static final double TEXT = 0.1;

  @Override
  public int count() {
    return operands.length;
  }

  @Override
  public Size size(int index) {
    return Size.exactly(size(operands[index]));
  }

  private static long size(@Nullable Object value) {
    return switch (value) {
      case String text -> text.codePointCount(0, text.length());
      case CelByteString bytes -> bytes.size();
      case Collection<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      case LibraryValue library -> library.size();
      case Optional<?> optional when optional.isPresent() -> size(optional.get());
      case null, default -> 1;
    };
  }

  @Override
  public long traversal(int index) {
    return traversal(operands[index]);
  }

  private static long traversal(@Nullable Object value) {
    return switch (value) {
      case String text -> (long) (text.length() * TEXT);
      case CelByteString bytes -> (long) (bytes.size() * TEXT);
      case Collection<?> list -> list.stream().mapToLong(OperandValues::traversal).sum();
      case Map<?, ?> map ->
          map.entrySet().stream()
              .mapToLong(entry -> traversal(entry.getKey()) + traversal(entry.getValue()))
              .sum();
      case null, default -> 1;
    };
  }

  @Override
  public Size itemSize(int index) {
    return Size.UNKNOWN;
  }

  @Override
  public boolean hasTexts(int index) {
    return operands[index] instanceof List<?> list
        && !list.isEmpty()
        && (list.getFirst() instanceof String || list.getFirst() instanceof CelByteString);
  }

  @Override
  public boolean isText(int index) {
    return operands[index] instanceof String;
  }

  @Override
  public long number(int index, long otherwise) {
    return operands[index] instanceof Long number ? number : otherwise;
  }

  @Override
  public @Nullable String libraryType(int index) {
    return operands[index] instanceof LibraryValue library ? library.celType().name() : null;
  }

  @Override
  public Size result() {
    return Size.exactly(size(value));
  }
}
