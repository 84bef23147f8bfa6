package dev.stint.apiserver.table;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One step of a JSON path, from a value to values in it. */
sealed interface JsonPathStep {
  Stream<JsonNode> from(JsonNode value);

  /** A member of an object. */
  record Member(String name) implements JsonPathStep {
    @Override
    public Stream<JsonNode> from(JsonNode value) {
      return Stream.ofNullable(value.get(name));
    }
  }

  /**
   * Items of a list by their numbers. There are none if the list has not all of these numbers.
   *
   * @param first counts from the end if it is negative, as does the limit
   * @param limit the number after the last one; null for the end of the list
   * @param stride the difference of two numbers, at least 1
   */
  record Slice(int first, @Nullable Integer limit, int stride) implements JsonPathStep {
    @Override
    public Stream<JsonNode> from(JsonNode value) {
      int size = value.size();
      int start = fromStart(first, size);
      int end = limit == null ? size : fromStart(limit, size);
      return value.isArray() && start >= 0 && end <= size
          ? IntStream.iterate(start, i -> i < end, i -> i + stride).mapToObj(value::get)
          : Stream.empty();
    }

    private static int fromStart(int number, int size) {
      return number < 0 ? size + number : number;
    }
  }

  /** All items, or the values of all members. */
  record All() implements JsonPathStep {
    @Override
    public Stream<JsonNode> from(JsonNode value) {
      return value.isContainer() ? value.valueStream() : Stream.empty();
    }
  }

  /** The items of a list that a filter accepts. */
  record Chosen(JsonPathFilter filter) implements JsonPathStep {
    @Override
    public Stream<JsonNode> from(JsonNode value) {
      return value.isArray() ? value.valueStream().filter(filter::accepts) : Stream.empty();
    }
  }
}
