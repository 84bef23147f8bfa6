package dev.stint.apiserver.access;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the bindings that may name a user. It holds hashes instead of the names, which the bindings
 * hold already: eight bytes for each subject, so that an index that replaces another one takes
 * little memory beside it.
 */
final class BindingIndex {
  private final List<RbacBinding> bindings;

  /** The hash of a name above the place of its binding in the list, in order. */
  private final long[] places;

  /**
   * @param bindings immutable
   */
  BindingIndex(List<RbacBinding> bindings) {
    this.bindings = bindings;
    this.places =
        IntStream.range(0, bindings.size())
            .boxed()
            .flatMapToLong(
                place -> bindings.get(place).names().mapToLong(name -> least(name) | place))
            .toArray();
    Arrays.sort(places);
  }

  private static long least(String name) {
    return (long) name.hashCode() << Integer.SIZE;
  }

  /**
   * Returns the bindings that name the user or one of the groups, in their order. Others may be
   * among them: names can have equal hashes.
   */
  Stream<RbacBinding> of(User user) {
    return Stream.concat(Stream.of(user.name()), user.groups().stream())
        .flatMapToInt(this::places)
        .sorted()
        .distinct()
        .mapToObj(bindings::get);
  }

  private IntStream places(String name) {
    int found = Arrays.binarySearch(places, least(name));
    return Arrays.stream(places, found < 0 ? -found - 1 : found, places.length)
        .takeWhile(each -> each >> Integer.SIZE == name.hashCode())
        .mapToInt(each -> (int) each);
  }
}
