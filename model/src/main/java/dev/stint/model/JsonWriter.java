package dev.stint.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes documents as JSON text. It copies the text of parts that a document shares with a known
 * one: most writes change little of an object, and pods of one Job are nearly the same.
 *
 * <p>Nearly all of a document is plain text, whole numbers and brackets, which this class writes;
 * it leaves the rest to the JSON library.
 */
final class JsonWriter {
  private static final byte[] NOTHING = {};

  /** The size of a new buffer in bytes: more than most documents take. */
  private static final int ROOM = 8 << 10;

  /** The size above which a buffer is not used again. */
  private static final int MOST_SPARE = 64 << 10;

  /**
   * A buffer that is used again: new ones for each document were a sixth of all memory that a pod
   * took. Null while it is in use.
   */
  private static final AtomicReference<byte @Nullable []> SPARE = new AtomicReference<>();

  private final byte[] text;
  private byte[] out;
  private int length;

  private JsonWriter(byte[] text) {
    this.text = text;
    byte[] spare = SPARE.getAndSet(null);
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
      SPARE.set(out);
    }
    return document;
  }

  /**
   * @param start the start of the known document's text
   */
  private void changed(ObjectNode tree, ObjectNode known, int start) {
    Members members = new Members(start);
    char before = '{';
    for (var member : tree.properties()) {
      mark(before);
      before = ',';
      String name = member.getKey();
      JsonNode was = known.get(name);
      member(name, member.getValue(), was, was == null ? null : members.find(name));
    }
    end(before, '{', '}');
  }

  private void member(
      String name, JsonNode value, @Nullable JsonNode known, @Nullable Member written) {
    if (known == null || written == null) {
      string(name);
      mark(':');
      value(value);
    } else if (value == known) {
      copy(text, written.name, written.end);
    } else {
      copy(text, written.name, written.value);
      if (value instanceof ObjectNode object && known instanceof ObjectNode before) {
        changed(object, before, written.value);
      } else {
        value(value);
      }
    }
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
    char before = '{';
    for (var member : object.properties()) {
      mark(before);
      before = ',';
      string(member.getKey());
      mark(':');
      value(member.getValue());
    }
    end(before, '{', '}');
  }

  private void array(JsonNode array) {
    char before = '[';
    for (JsonNode item : array) {
      mark(before);
      before = ',';
      value(item);
    }
    end(before, '[', ']');
  }

  /** Ends an object or array; begins it first if it is empty. */
  private void end(char before, char open, char close) {
    if (before == open) {
      mark(open);
    }
    mark(close);
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

  /** The members of one object, which are mostly read in order. */
  private final class Members {
    private final List<Member> all = new ArrayList<>();
    private int next;

    Members(int start) {
      JsonText cursor = new JsonText(text, start + 1);
      while (cursor.isAtString()) {
        int name = cursor.at;
        cursor.string();
        int value = ++cursor.at;
        cursor.value();
        all.add(new Member(name, value, cursor.at));
        cursor.at += text[cursor.at] == ',' ? 1 : 0;
      }
    }

    @Nullable Member find(String name) {
      for (int tried = 0; tried < all.size(); tried++) {
        Member member = all.get(next);
        next = (next + 1) % all.size();
        if (isNamed(member, name)) {
          return member;
        }
      }
      return null;
    }

    /** True if the member has that name; false for names that are written with an escape. */
    private boolean isNamed(Member member, String name) {
      int from = member.name + 1;
      if (member.value - 2 - from != name.length()) {
        return false;
      }
      for (int i = 0; i < name.length(); i++) {
        if (text[from + i] != name.charAt(i)) {
          return false;
        }
      }
      return true;
    }
  }
}
