package dev.stint.model;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes a document that shares parts with one whose text is known: the text of those is copied.
 * Most writes change little of an object, and pods of one Job are nearly the same.
 */
final class JsonRewrite {
  private final byte[] text;
  private final ByteArrayOutputStream out;

  private JsonRewrite(byte[] text) {
    this.text = text;
    this.out = new ByteArrayOutputStream(text.length + 256);
  }

  /**
   * The text of a document.
   *
   * @param known another one; of what is the very same node in both, the text is copied
   * @param text of the other one, as this program writes it; members may be missing
   */
  static byte[] bytes(ObjectNode tree, ObjectNode known, byte[] text) {
    JsonRewrite rewrite = new JsonRewrite(text);
    rewrite.object(tree, known, 0);
    return rewrite.out.toByteArray();
  }

  /**
   * @param start where the text of the known one begins
   */
  private void object(ObjectNode tree, ObjectNode known, int start) {
    Members members = new Members(start);
    out.write('{');
    boolean first = true;
    for (var member : tree.properties()) {
      if (!first) {
        out.write(',');
      }
      first = false;
      String name = member.getKey();
      JsonNode before = known.get(name);
      member(name, member.getValue(), before, before == null ? null : members.find(name));
    }
    out.write('}');
  }

  private void member(
      String name, JsonNode value, @Nullable JsonNode known, @Nullable Member written) {
    if (known == null || written == null) {
      out.writeBytes(Json.bytes(Json.text(name)));
      out.write(':');
      out.writeBytes(Json.bytes(value));
    } else if (value == known) {
      copy(written.name, written.end);
    } else {
      copy(written.name, written.value);
      if (value instanceof ObjectNode object && known instanceof ObjectNode before) {
        object(object, before, written.value);
      } else {
        out.writeBytes(Json.bytes(value));
      }
    }
  }

  private void copy(int from, int to) {
    out.write(text, from, to - from);
  }

  /** Where a member's name begins, where its value does, and where that ends. */
  private record Member(int name, int value, int end) {}

  /** The members of one object, which are mostly asked for in their order. */
  private final class Members {
    private final List<Member> all = new ArrayList<>();
    private int next;

    Members(int start) {
      JsonText cursor = new JsonText(text, start + 1);
      while (cursor.atString()) {
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
        if (named(member, name)) {
          return member;
        }
      }
      return null;
    }

    /** False for names that are written with an escape, too. */
    private boolean named(Member member, String name) {
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
