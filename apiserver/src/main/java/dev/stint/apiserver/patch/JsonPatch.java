package dev.stint.apiserver.patch;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.document.DocumentLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON patch (RFC 6902), with the deviations of Kubernetes: {@code replace} adds an absent member,
 * an absent value is copied and tested as null, an operation without a value uses null, but a test
 * without one fails, numbers are equal only if they are written alike, indexes below 0 count from
 * the end of a list, and text before the first slash of a path is ignored.
 *
 * <p>Containers are copied when they are first changed, so that untouched parts are shared between
 * the target and the result. The cost of a patch is bounded: its operations, the steps that they
 * take, and the bytes that they copy.
 */
public final class JsonPatch {
  /** The limit of Kubernetes. */
  private static final int MOST_OPERATIONS = 10_000;

  /** The approximate number of characters that all copies together may have. */
  private static final long MOST_COPIED = 3 << 20;

  /** The number of values that may be visited or moved. */
  private static final long MOST_STEPS = 100_000_000;

  private static final String END_OF_LIST = "-";

  private static final Pattern INDEX = Pattern.compile("[+-]?[0-9]{1,9}");

  /** The containers that belong to the result alone, and may be changed. */
  private final Set<JsonNode> own = Collections.newSetFromMap(new IdentityHashMap<>());

  private JsonNode root;
  private String current = "";
  private long copied;
  private long steps;

  private JsonPatch(ObjectNode target) {
    this.root = target;
  }

  /**
   * Returns the target with all operations carried out. Neither is changed; they may share parts
   * with the result.
   *
   * @param patch a list of operations
   * @throws ClusterException {@code BAD_REQUEST} if the patch is not a list of objects, {@code
   *     INVALID} if an operation is unknown or fails, {@code TOO_LARGE} if there are too many or
   *     they cost too much
   */
  public static ObjectNode apply(ObjectNode target, JsonNode patch) {
    if (!(patch instanceof ArrayNode operations)) {
      throw new ClusterException(Reason.BAD_REQUEST, "a JSON patch must be a list of operations");
    }
    if (operations.size() > MOST_OPERATIONS) {
      throw new ClusterException(
          Reason.TOO_LARGE,
          "a JSON patch may have at most %d operations; this one has %d"
              .formatted(MOST_OPERATIONS, operations.size()));
    }
    JsonPatch state = new JsonPatch(target);
    for (JsonNode operation : operations) {
      if (!operation.isObject()) {
        throw new ClusterException(
            Reason.BAD_REQUEST, "each operation of a JSON patch must be an object");
      }
    }
    operations.forEach(operation -> state.carryOut((ObjectNode) operation));
    return state.result();
  }

  private ObjectNode result() {
    if (root instanceof ObjectNode object) {
      return object;
    }
    throw failed("the result must be an object");
  }

  private void carryOut(ObjectNode operation) {
    String name = Json.text(operation, "op");
    String path = Json.text(operation, "path");
    current = "%s %s".formatted(name, path);
    if (name == null || path == null) {
      throw failed("an operation must have \"op\" and \"path\"");
    }
    List<String> to = pointer(path);
    switch (name) {
      case "add" -> add(to, value(operation));
      case "remove" -> remove(to);
      case "replace" -> replace(to, value(operation));
      case "move" -> move(from(operation), to);
      case "copy" -> copy(from(operation), to);
      case "test" -> test(to, operation.get("value"));
      default ->
          throw failed("the operation must be one of add, copy, move, remove, replace, test");
    }
  }

  private void add(List<String> path, JsonNode value) {
    measure(value, path.size());
    put(path, value);
  }

  private void put(List<String> path, JsonNode value) {
    JsonNode parent = parent(path);
    String last = path.getLast();
    switch (parent) {
      case ObjectNode object -> object.set(last, value);
      case ArrayNode list -> {
        int index = last.equals(END_OF_LIST) ? list.size() : index(last, list.size() + 1);
        step(list.size() - index);
        list.insert(index, value);
      }
      default -> throw missing(path);
    }
  }

  private JsonNode remove(List<String> path) {
    JsonNode parent = parent(path);
    JsonNode found = child(parent, path.getLast());
    if (found == null) {
      throw missing(path);
    }
    switch (parent) {
      case ObjectNode object -> object.remove(path.getLast());
      case ArrayNode list -> {
        int index = index(path.getLast(), list.size());
        step(list.size() - index);
        list.remove(index);
      }
      default -> throw missing(path);
    }
    return found;
  }

  private void replace(List<String> path, JsonNode value) {
    measure(value, path.size());
    if (path.isEmpty()) {
      root = value;
    } else {
      replaceChild(parent(path), path.getLast(), value);
    }
  }

  private void move(List<String> from, List<String> to) {
    if (from.size() < to.size() && from.equals(to.subList(0, from.size()))) {
      throw failed("a value cannot be moved into itself");
    }
    JsonNode value = remove(from);
    measure(value, to.size());
    put(to, value);
  }

  private void copy(List<String> from, List<String> to) {
    JsonNode value = found(from);
    copied += measure(value, to.size());
    if (copied > MOST_COPIED) {
      throw new ClusterException(
          Reason.TOO_LARGE, "the JSON patch copies more than " + MOST_COPIED + " characters");
    }
    put(to, value.deepCopy());
  }

  private void test(List<String> path, @Nullable JsonNode value) {
    JsonNode found = path.isEmpty() ? root : found(path);
    if (value != null) {
      measure(value, 0);
    }
    if (value == null || !DocumentValues.writtenAlike(found, value)) {
      throw failed("the value differs");
    }
  }

  /** Returns the value at a path; JSON's null for a member that its object lacks. */
  private JsonNode found(List<String> path) {
    JsonNode at = root;
    if (path.isEmpty()) {
      throw missing(path);
    }
    for (String token : path.subList(0, path.size() - 1)) {
      JsonNode next = child(at, token);
      if (next == null) {
        throw missing(path);
      }
      at = next;
    }
    JsonNode found = child(at, path.getLast());
    if (found == null && !at.isObject()) {
      throw missing(path);
    }
    return found == null ? NullNode.getInstance() : found;
  }

  /**
   * Returns the container of the value at a path; it and all its ancestors are copied, so that they
   * may be changed.
   */
  private JsonNode parent(List<String> path) {
    if (path.isEmpty()) {
      throw failed("the operation does not apply to the whole object");
    }
    JsonNode at = owned(root);
    root = at;
    for (String token : path.subList(0, path.size() - 1)) {
      JsonNode found = child(at, token);
      if (found == null) {
        throw missing(path);
      }
      JsonNode mine = owned(found);
      if (mine != found) {
        replaceChild(at, token, mine);
      }
      at = mine;
    }
    return at;
  }

  private JsonNode owned(JsonNode value) {
    if (own.contains(value) || !value.isContainer()) {
      return value;
    }
    JsonNode mine =
        value instanceof ObjectNode object
            ? DocumentValues.shallowCopy(object)
            : DocumentValues.shallowCopy((ArrayNode) value);
    step(value.size());
    own.add(mine);
    return mine;
  }

  private @Nullable JsonNode child(JsonNode parent, String token) {
    return switch (parent) {
      case ObjectNode object -> object.get(token);
      case ArrayNode list -> list.get(index(token, list.size()));
      default -> null;
    };
  }

  private void replaceChild(JsonNode parent, String token, JsonNode value) {
    switch (parent) {
      case ArrayNode list -> list.set(index(token, list.size()), value);
      case ObjectNode object -> object.set(token, value);
      default -> throw missing(List.of(token));
    }
  }

  /**
   * Returns the index that a token names in a list of {@code size} items; one below 0 counts from
   * the end.
   */
  private int index(String token, int size) {
    int index = INDEX.matcher(token).matches() ? Integer.parseInt(token) : size;
    if (index >= size || index < -size) {
      throw failed("the list has no index " + shown(token));
    }
    return index < 0 ? index + size : index;
  }

  /**
   * Returns the approximate number of characters of a value. Refuses one that would be nested too
   * deeply.
   */
  private long measure(JsonNode value, int depth) {
    if (depth > DocumentLimits.DEPTH) {
      throw failed(
          "the result is nested too deeply; the limit is " + DocumentLimits.DEPTH + " levels");
    }
    step(1);
    long size = value.isString() ? value.stringValue().length() + 2L : 8;
    if (value instanceof ObjectNode object) {
      for (var member : object.properties()) {
        size += member.getKey().length() + 3L + measure(member.getValue(), depth + 1);
      }
    } else if (value instanceof ArrayNode list) {
      for (JsonNode item : list) {
        size += 1 + measure(item, depth + 1);
      }
    } else if (value.isBigInteger() || value.isBigDecimal()) {
      size += value.asString().length();
    }
    return size;
  }

  private void step(int count) {
    steps += count;
    if (steps > MOST_STEPS) {
      throw new ClusterException(
          Reason.TOO_LARGE,
          "the JSON patch takes more than %d steps; split it".formatted(MOST_STEPS));
    }
  }

  private static JsonNode value(ObjectNode operation) {
    JsonNode value = operation.get("value");
    return value == null ? NullNode.getInstance() : value;
  }

  private List<String> from(ObjectNode operation) {
    String from = Json.text(operation, "from");
    if (from == null) {
      throw failed("the operation must have a \"from\"");
    }
    return pointer(from);
  }

  /** Returns the steps of a JSON pointer (RFC 6901). */
  private List<String> pointer(String text) {
    List<String> tokens = new ArrayList<>();
    if (text.isEmpty()) {
      return tokens;
    }
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw failed("a path must be empty or begin with '/'");
    }
    for (String token : text.substring(slash + 1).split("/", -1)) {
      tokens.add(token.replace("~1", "/").replace("~0", "~"));
    }
    return tokens;
  }

  private ClusterException missing(List<String> path) {
    return failed("no value exists at " + shown("/" + String.join("/", path)));
  }

  private ClusterException failed(String why) {
    return new ClusterException(
        Reason.INVALID, "the JSON patch fails at \"%s\": %s".formatted(shown(current), why));
  }

  private static String shown(String text) {
    return text.length() <= 200 ? text : text.substring(0, 200) + "...";
  }
}
