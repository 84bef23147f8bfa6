package dev.stint.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes documents as JSON text. It copies the text of parts that a document shares with a known
 * one: most writes change little of an object, and pods of one Job are nearly the same.
 *
 * <p>Nearly all of a document is plain text, whole numbers and brackets, which this class writes;
 * it leaves the rest to the JSON library.
 *
 * <p>It refuses what is nested more deeply than {@link Json#DEPTH}, as {@link Json} could not read
 * it again.
 */
final class JsonWriter {
  private static final byte[] NOTHING = {};

  /** The size of a new buffer in bytes: more than most documents take. */
  private static final int ROOM = 8 << 10;

  /** The size above which a buffer is not used again. */
  private static final int MOST_SPARE = 64 << 10;

  /**
   * Buffers that are used again: new ones for each document were a sixth of all memory that a pod
   * took. There is one for each of the threads that write most.
   */
  private static final Queue<byte[]> SPARE = new ArrayBlockingQueue<>(4);

  /** Writes a member. One for all objects, since C1 makes such values by a slow call of the JVM. */
  private final BiConsumer<String, JsonNode> member = this::named;

  private final byte[] text;
  private byte[] out;
  private int length;
  private int depth;

  private JsonWriter(byte[] text) {
    this.text = text;
    byte[] spare = SPARE.poll();
    this.out = spare == null ? new byte[ROOM] : spare;
  }

  /** Returns the text of a document. */
  static byte[] bytes(JsonNode tree) {
    JsonWriter writer = new JsonWriter(NOTHING);
    writer.value(tree);
    return writer.document();
  }

  /**
   * Returns the text of a document.
   *
   * @param known another document; the text of nodes that both share is copied
   * @param text the other document's text, as this program writes it; members may be missing
   */
  static byte[] bytes(ObjectNode tree, ObjectNode known, byte[] text) {
    JsonWriter writer = new JsonWriter(text);
    writer.changed(tree, known, 0);
    return writer.document();
  }

  private byte[] document() {
    byte[] document = Arrays.copyOf(out, length);
    if (out.length <= MOST_SPARE) {
      SPARE.offer(out);
    }
    return document;
  }

  /**
   * Writes an object that is like a known one.
   *
   * @param start the start of the known object's text
   * @return the end of it
   */
  private int changed(ObjectNode tree, ObjectNode known, int start) {
    Members members = new Members(known, start);
    open('{');
    tree.forEachEntry(members);
    close('}');
    return members.end();
  }

  private void named(String name, JsonNode value) {
    separate();
    string(name);
    mark(':');
    value(value);
  }

  private void value(JsonNode value) {
    switch (value.getNodeType()) {
      case OBJECT -> object(value);
      case ARRAY -> array(value);
      case STRING -> string(value.stringValue());
      case BOOLEAN -> ascii(value.booleanValue() ? "true" : "false");
      case NULL -> ascii("null");
      default -> {
        if (value.isInt() || value.isLong()) {
          ascii(Long.toString(value.longValue()));
        } else {
          copy(Json.bytesByLibrary(value));
        }
      }
    }
  }

  private void object(JsonNode object) {
    open('{');
    object.forEachEntry(member);
    close('}');
  }

  private void array(JsonNode array) {
    open('[');
    for (JsonNode item : array) {
      separate();
      value(item);
    }
    close(']');
  }

  private void open(char bracket) {
    if (++depth > Json.DEPTH) {
      throw new IllegalArgumentException(
          "nested too deeply to be read again; at most " + Json.DEPTH + " levels");
    }
    mark(bracket);
  }

  private void close(char bracket) {
    mark(bracket);
    depth--;
  }

  /** Ends the item or member before this one, if there is one. */
  private void separate() {
    byte last = out[length - 1];
    if (last != '{' && last != '[') {
      mark(',');
    }
  }

  private void string(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (isPlain(bytes)) {
      mark('"');
      copy(bytes);
      mark('"');
    } else {
      copy(Json.bytesByLibrary(Json.text(value)));
    }
  }

  private static boolean isPlain(byte[] text) {
    for (byte c : text) {
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  private void mark(char c) {
    reserve(1);
    out[length++] = (byte) c;
  }

  private void ascii(String word) {
    copy(word.getBytes(StandardCharsets.US_ASCII));
  }

  private void copy(byte[] bytes) {
    copy(bytes, 0, bytes.length);
  }

  private void copy(byte[] bytes, int from, int to) {
    reserve(to - from);
    System.arraycopy(bytes, from, out, length, to - from);
    length += to - from;
  }

  private void reserve(int more) {
    if (out.length - length < more) {
      out = Arrays.copyOf(out, Math.max(2 * out.length, length + more));
    }
  }

  /** The start of a member's name, the start of its value, and the end of that. */
  private record Member(int name, int value, int end) {}

  /**
   * The members of the known text of one object; receives those of the object that is written. They
   * are mostly asked for in order, so each is looked at once.
   */
  private final class Members implements BiConsumer<String, JsonNode> {
    /**
     * The most members that are searched one by one: each of a million would be compared to all.
     */
    private static final int MOST_PASSED = 64;

    private final ObjectNode known;
    private final JsonText cursor;

    /** The first members that were not asked for yet, and stand before the cursor. */
    private final List<Member> passed = new ArrayList<>(0);

    /** The start of the name of the member that was found last. */
    private int name;

    /** The start of its value. */
    private int value;

    /** The end of its value; 0 while the cursor is at its start. */
    private int end;

    Members(ObjectNode known, int start) {
      this.known = known;
      cursor = new JsonText(text, start + 1);
    }

    /** Writes a member. */
    @Override
    public void accept(String written, JsonNode now) {
      JsonNode was = known.get(written);
      if (was == null || !find(written)) {
        named(written, now);
        return;
      }
      separate();
      if (now == was) {
        copy(text, name, pass());
        return;
      }
      copy(text, name, value);
      if (now instanceof ObjectNode object && was instanceof ObjectNode before) {
        passTo(changed(object, before, value));
      } else {
        value(now);
        pass();
      }
    }

    /** Moves to the value of a member; false if there is none, or it was passed long ago. */
    private boolean find(String wanted) {
      for (Member member : passed) {
        if (isNamed(member.name, member.value, wanted)) {
          name = member.name;
          value = member.value;
          end = member.end;
          return true;
        }
      }
      while (next()) {
        if (isNamed(name, value, wanted)) {
          return true;
        }
        int end = pass();
        if (passed.size() < MOST_PASSED) {
          passed.add(new Member(name, value, end));
        }
      }
      return false;
    }

    private boolean next() {
      if (!cursor.isAtString()) {
        return false;
      }
      name = cursor.at;
      cursor.string();
      value = ++cursor.at;
      end = 0;
      return true;
    }

    /** Moves past the value that was found; returns its end. */
    private int pass() {
      if (end == 0) {
        cursor.value();
        passTo(cursor.at);
      }
      return end;
    }

    /** Moves past the value that was found, whose end is known. */
    private void passTo(int valueEnd) {
      if (end == 0) {
        end = valueEnd;
        cursor.at = text[valueEnd] == ',' ? valueEnd + 1 : valueEnd;
      }
    }

    /** Moves past all members; returns the end of the object. */
    int end() {
      while (next()) {
        pass();
      }
      return cursor.at + 1;
    }

    /** True if a member has that name; false for names that are written with an escape. */
    private boolean isNamed(int start, int value, String name) {
      int from = start + 1;
      if (value - 2 - from != name.length()) {
        return false;
      }
      for (int i = 0; i < name.length(); i++) {
        byte c = text[from + i];
        if (c != name.charAt(i) || c == '\\') {
          return false;
        }
      }
      return true;
    }
  }
}
