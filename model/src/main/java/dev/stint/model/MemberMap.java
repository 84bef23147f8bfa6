package dev.stint.model;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The members of a JSON object, in order. Nearly all objects of the API have a dozen members or
 * fewer: they are two arrays, a third of what a {@link LinkedHashMap} takes, and are searched from
 * the start. Names are mostly the very same strings, since they come from our own code or from one
 * document, so identity is tried first. Larger objects, such as config maps, become a hash map. Not
 * thread-safe.
 */
final class MemberMap extends AbstractMap<String, JsonNode> {
  private static final int FEW = 6;

  /** The most members that are searched one by one. */
  static final int MANY = 32;

  private String[] names = new String[FEW];
  private JsonNode[] values = new JsonNode[FEW];
  private int size;

  /** A bit for each name, so that most names that are missing are not searched for. */
  private long bits;

  /** All members once there are too many to be searched one by one. */
  private @Nullable Map<String, JsonNode> many;

  private static long bit(String name) {
    return 1L << (name.hashCode() * 0x9E3779B9 >>> 26);
  }

  /** Returns the place of a member; negative if there is none. */
  @SuppressWarnings("ReferenceEquality") // Equal names come next.
  private int place(@Nullable Object member) {
    String[] all = names;
    for (int i = 0; i < size; i++) {
      if (all[i] == member) {
        return i;
      }
    }
    return equal(member);
  }

  /** Returns the place of a member whose name is another string with the same text. */
  private int equal(@Nullable Object member) {
    if (!(member instanceof String name) || (bits & bit(name)) == 0) {
      return -1;
    }
    String[] all = names;
    int hash = name.hashCode();
    for (int i = 0; i < size; i++) {
      if (all[i].hashCode() == hash && all[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public int size() {
    return many == null ? size : many.size();
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return many == null ? place(name) >= 0 : many.containsKey(name);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Equal names come next.
  public @Nullable JsonNode get(@Nullable Object name) {
    // As in place(), written out: a seventh of the Java code of a large Job looks members up.
    String[] all = names;
    for (int i = 0; i < size; i++) {
      if (all[i] == name) {
        return values[i];
      }
    }
    return getEqual(name);
  }

  private @Nullable JsonNode getEqual(@Nullable Object name) {
    if (many != null) {
      return many.get(name);
    }
    int place = equal(name);
    return place < 0 ? null : values[place];
  }

  @Override
  public @Nullable JsonNode put(String name, JsonNode value) {
    if (many != null) {
      return many.put(name, value);
    }
    int place = place(name);
    if (place >= 0) {
      JsonNode before = values[place];
      values[place] = value;
      return before;
    }
    if (size == MANY) {
      Map<String, JsonNode> all = new LinkedHashMap<>(this);
      clear();
      many = all;
      return all.put(name, value);
    }
    add(name, value);
    return null;
  }

  private void add(String name, JsonNode value) {
    if (size == names.length) {
      int room = Math.min(2 * size, MANY);
      names = Arrays.copyOf(names, room);
      values = Arrays.copyOf(values, room);
    }
    names[size] = name;
    values[size++] = value;
    bits |= bit(name);
  }

  @Override
  public void putAll(Map<? extends String, ? extends JsonNode> others) {
    if (isEmpty() && others instanceof MemberMap other && other.many == null) {
      names = other.names.clone();
      values = other.values.clone();
      size = other.size;
      bits = other.bits;
      many = null;
    } else {
      others.forEach(this::put);
    }
  }

  @Override
  public @Nullable JsonNode remove(@Nullable Object name) {
    if (many != null) {
      return many.remove(name);
    }
    int place = place(name);
    return place < 0 ? null : removeAt(place);
  }

  private JsonNode removeAt(int place) {
    JsonNode removed = values[place];
    size--;
    System.arraycopy(names, place + 1, names, place, size - place);
    System.arraycopy(values, place + 1, values, place, size - place);
    Arrays.fill(names, size, size + 1, null);
    Arrays.fill(values, size, size + 1, null);
    return removed;
  }

  @Override
  public void clear() {
    names = new String[FEW];
    values = new JsonNode[FEW];
    size = 0;
    bits = 0;
    many = null;
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super JsonNode> each) {
    if (many != null) {
      many.forEach(each);
    } else {
      for (int i = 0; i < size; i++) {
        each.accept(names[i], values[i]);
      }
    }
  }

  /** Returns the members; their values cannot be set. */
  @Override
  public Set<Map.Entry<String, JsonNode>> entrySet() {
    return many == null ? new Members() : many.entrySet();
  }

  /** Returns the names, which can be removed. */
  @Override
  public Set<String> keySet() {
    return many == null ? new Names() : many.keySet();
  }

  /** Returns the values. */
  @Override
  public Collection<JsonNode> values() {
    return many == null ? new Values() : many.values();
  }

  private final class Names extends AbstractSet<String> {
    @Override
    public int size() {
      return size;
    }

    @Override
    public boolean contains(@Nullable Object name) {
      return containsKey(name);
    }

    @Override
    public boolean remove(@Nullable Object name) {
      return MemberMap.this.remove(name) != null;
    }

    @Override
    public Iterator<String> iterator() {
      return new PlaceIterator<>() {
        @Override
        String at(int place) {
          return names[place];
        }
      };
    }
  }

  private final class Values extends AbstractCollection<JsonNode> {
    @Override
    public int size() {
      return size;
    }

    @Override
    public Iterator<JsonNode> iterator() {
      return new PlaceIterator<>() {
        @Override
        JsonNode at(int place) {
          return values[place];
        }
      };
    }
  }

  private final class Members extends AbstractSet<Map.Entry<String, JsonNode>> {
    @Override
    public int size() {
      return MemberMap.this.size();
    }

    @Override
    public Iterator<Map.Entry<String, JsonNode>> iterator() {
      return new PlaceIterator<>() {
        @Override
        Map.Entry<String, JsonNode> at(int place) {
          return Map.entry(names[place], values[place]);
        }
      };
    }
  }

  /** Goes over all members. Not by a lambda, which C1 makes by a slow call of the JVM. */
  private abstract class PlaceIterator<T> implements Iterator<T> {
    private int next;

    /** Returns what is asked of the member at a place. */
    abstract T at(int place);

    @Override
    public boolean hasNext() {
      return next < size;
    }

    @Override
    public T next() {
      if (next >= size) {
        throw new NoSuchElementException();
      }
      return at(next++);
    }

    @Override
    public void remove() {
      removeAt(--next);
    }
  }
}
