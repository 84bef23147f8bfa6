package dev.stint.store;

import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable tree of entries in key order: a reference to it is a consistent view, and a write
 * shares all nodes but one path. A height-balanced (AVL) tree whose nodes know the number of
 * entries below them, so that a part of it is a list without a copy.
 */
final class KeyTree implements Entries {
  static final KeyTree EMPTY = new KeyTree(null);

  private record Node(
      @Nullable Node left, Entry entry, @Nullable Node right, int height, int size) {
    String key() {
      return entry.key();
    }
  }

  private final @Nullable Node root;

  private KeyTree(@Nullable Node root) {
    this.root = root;
  }

  /** Returns a tree of entries that are in key order already, without duplicate keys. */
  static KeyTree of(List<Entry> sorted) {
    return new KeyTree(build(sorted, 0, sorted.size()));
  }

  @Override
  public @Nullable Entry get(String key) {
    Node node = root;
    while (node != null) {
      int order = key.compareTo(node.key());
      if (order == 0) {
        return node.entry;
      }
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  KeyTree with(Entry entry) {
    return new KeyTree(put(root, entry));
  }

  KeyTree without(String key) {
    return new KeyTree(remove(root, key));
  }

  /** Returns the entries whose keys start with the prefix, in order, in logarithmic time. */
  @Override
  public List<Entry> list(String prefix) {
    int from = before(key -> key.compareTo(prefix) < 0);
    int to = before(key -> key.compareTo(prefix) < 0 || key.startsWith(prefix));
    return new Part(root, from, to - from);
  }

  @Override
  public boolean hasPrefix(String prefix) {
    Node least = null;
    Node node = root;
    while (node != null) {
      if (node.key().compareTo(prefix) < 0) {
        node = node.right;
      } else {
        least = node;
        node = node.left;
      }
    }
    return least != null && least.key().startsWith(prefix);
  }

  /** Returns the length of the prefix of entries whose keys match. */
  private int before(Predicate<String> first) {
    int count = 0;
    Node node = root;
    while (node != null) {
      if (first.test(node.key())) {
        count += count(node.left) + 1;
        node = node.right;
      } else {
        node = node.left;
      }
    }
    return count;
  }

  /** Returns the length of the longest path. */
  int height() {
    return height(root);
  }

  private static @Nullable Node build(List<Entry> sorted, int from, int to) {
    if (from == to) {
      return null;
    }
    int middle = (from + to) >>> 1;
    return node(build(sorted, from, middle), sorted.get(middle), build(sorted, middle + 1, to));
  }

  private static Node put(@Nullable Node node, Entry entry) {
    if (node == null) {
      return node(null, entry, null);
    }
    int order = entry.key().compareTo(node.key());
    if (order == 0) {
      return new Node(node.left, entry, node.right, node.height, node.size);
    }
    return order < 0
        ? balanced(put(node.left, entry), node.entry, node.right)
        : balanced(node.left, node.entry, put(node.right, entry));
  }

  private static @Nullable Node remove(@Nullable Node node, String key) {
    if (node == null) {
      return null;
    }
    int order = key.compareTo(node.key());
    if (order < 0) {
      return balanced(remove(node.left, key), node.entry, node.right);
    }
    if (order > 0) {
      return balanced(node.left, node.entry, remove(node.right, key));
    }
    if (node.right == null) {
      return node.left;
    }
    return balanced(node.left, first(node.right), withoutFirst(node.right));
  }

  private static Entry first(Node node) {
    Node first = node;
    while (first.left != null) {
      first = first.left;
    }
    return first.entry;
  }

  private static @Nullable Node withoutFirst(Node node) {
    return node.left == null
        ? node.right
        : balanced(withoutFirst(node.left), node.entry, node.right);
  }

  private static Node balanced(@Nullable Node left, Entry entry, @Nullable Node right) {
    if (left != null && height(left) > height(right) + 1) {
      return leaningLeft(left, entry, right);
    }
    if (right != null && height(right) > height(left) + 1) {
      return leaningRight(left, entry, right);
    }
    return node(left, entry, right);
  }

  private static Node leaningLeft(Node left, Entry entry, @Nullable Node right) {
    Node inner = left.right;
    if (inner == null || height(left.left) >= inner.height) {
      return node(left.left, left.entry, node(inner, entry, right));
    }
    return node(
        node(left.left, left.entry, inner.left), inner.entry, node(inner.right, entry, right));
  }

  private static Node leaningRight(@Nullable Node left, Entry entry, Node right) {
    Node inner = right.left;
    if (inner == null || height(right.right) >= inner.height) {
      return node(node(left, entry, inner), right.entry, right.right);
    }
    return node(
        node(left, entry, inner.left), inner.entry, node(inner.right, right.entry, right.right));
  }

  private static Node node(@Nullable Node left, Entry entry, @Nullable Node right) {
    return new Node(
        left,
        entry,
        right,
        1 + Math.max(height(left), height(right)),
        count(left) + 1 + count(right));
  }

  private static int height(@Nullable Node node) {
    return node == null ? 0 : node.height;
  }

  private static int count(@Nullable Node node) {
    return node == null ? 0 : node.size;
  }

  /** A range of adjacent entries. */
  private static final class Part extends AbstractList<Entry> implements RandomAccess {
    private final @Nullable Node root;
    private final int from;
    private final int size;

    Part(@Nullable Node root, int from, int size) {
      this.root = root;
      this.from = from;
      this.size = size;
    }

    @Override
    public int size() {
      return size;
    }

    /** Returns an entry in logarithmic time. */
    @Override
    public Entry get(int index) {
      Objects.checkIndex(index, size);
      int rank = from + index;
      Node node = Objects.requireNonNull(root);
      while (rank != count(node.left)) {
        boolean left = rank < count(node.left);
        rank -= left ? 0 : count(node.left) + 1;
        node = Objects.requireNonNull(left ? node.left : node.right);
      }
      return node.entry;
    }

    @Override
    public Iterator<Entry> iterator() {
      return new Walk(root, from, size);
    }

    @Override
    public Spliterator<Entry> spliterator() {
      return Spliterators.spliterator(iterator(), size, Spliterator.ORDERED | Spliterator.NONNULL);
    }
  }

  /** Iterates over adjacent entries, in amortised constant time per entry. */
  private static final class Walk implements Iterator<Entry> {
    private final Deque<Node> path = new ArrayDeque<>();
    private int left;

    Walk(@Nullable Node root, int from, int count) {
      left = count;
      int rank = from;
      Node node = root;
      while (node != null) {
        if (rank <= count(node.left)) {
          path.push(node);
          node = node.left;
        } else {
          rank -= count(node.left) + 1;
          node = node.right;
        }
      }
    }

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public Entry next() {
      if (left == 0) {
        throw new NoSuchElementException();
      }
      left--;
      Node node = path.pop();
      for (Node next = node.right; next != null; next = next.left) {
        path.push(next);
      }
      return node.entry;
    }
  }
}
