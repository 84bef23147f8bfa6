package dev.stint.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries in key order, never changed once built: whoever holds one has a consistent view for free,
 * and writing shares all but a path. A height-balanced (AVL) tree.
 */
final class KeyTree {
  static final KeyTree EMPTY = new KeyTree(null);

  private record Node(@Nullable Node left, Entry entry, @Nullable Node right, int height) {
    String key() {
      return entry.key();
    }
  }

  private final @Nullable Node root;

  private KeyTree(@Nullable Node root) {
    this.root = root;
  }

  /** A tree of entries that are in key order already, no key twice. */
  static KeyTree of(List<Entry> sorted) {
    return new KeyTree(build(sorted, 0, sorted.size()));
  }

  @Nullable Entry get(String key) {
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

  /** Entries whose keys start with the prefix, in order; costs what it returns. */
  List<Entry> list(String prefix) {
    List<Entry> found = new ArrayList<>();
    collect(root, prefix, found);
    return found;
  }

  /** The length of the longest path. */
  int height() {
    return height(root);
  }

  private static void collect(@Nullable Node node, String prefix, List<Entry> found) {
    if (node == null) {
      return;
    }
    boolean matches = node.key().startsWith(prefix);
    boolean before = !matches && node.key().compareTo(prefix) < 0;
    if (!before) {
      collect(node.left, prefix, found);
    }
    if (matches) {
      found.add(node.entry);
    }
    if (matches || before) {
      collect(node.right, prefix, found);
    }
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
      return new Node(node.left, entry, node.right, node.height);
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
    return new Node(left, entry, right, 1 + Math.max(height(left), height(right)));
  }

  private static int height(@Nullable Node node) {
    return node == null ? 0 : node.height;
  }
}
