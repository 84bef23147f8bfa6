package dev.stint.apiserver.http.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.cluster.protobuf.ProtobufList;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.YamlWriter;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * The form of a list, which is written in parts: what comes before the items, the items, and what
 * comes after them.
 */
interface ListForm {
  /**
   * Returns what comes before the items, if there are any.
   *
   * @param length of all items as they are written; 0 if the form does not state it
   */
  byte[] start(long length);

  /** True if the form states the length of all items before the first one. */
  default boolean isMeasured() {
    return false;
  }

  /** Writes an item. */
  void write(KubeObject object, boolean first, ByteArrayOutputStream out);

  /** Returns what comes after the items. */
  byte[] end();

  /** Returns a list without items. */
  byte[] empty();

  /** Returns the same list in YAML. */
  ListForm inYaml();

  /**
   * Returns a list of objects as they are shown. The list states their kind; so do its items, if
   * their kind is a custom one.
   */
  static ListForm plain(ApiResource resource, ObjectNode metadata, ObjectView view) {
    ObjectNode head = Json.object();
    head.put("kind", resource.listKind());
    head.put("apiVersion", resource.shown().apiVersion());
    head.set("metadata", metadata);
    head.putArray("items");
    boolean typed = resource.hasTypedItems();
    return new JsonForm(head, "items", object -> tree(view.shown(object), typed)) {
      @Override
      public void write(KubeObject object, boolean first, ByteArrayOutputStream out) {
        separate(first, out);
        item(view.shown(object), typed, out);
      }
    };
  }

  private static ObjectNode tree(KubeObject object, boolean typed) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
    item(object, typed, out);
    return Json.parse(out.toByteArray());
  }

  private static void item(KubeObject object, boolean typed, ByteArrayOutputStream out) {
    if (typed) {
      out.writeBytes(object.bytes());
    } else {
      object.writeItem(out);
    }
  }

  /**
   * Returns a list of trees.
   *
   * @param head the list without items
   * @param member the last member, an array that gets the items
   */
  static ListForm json(ObjectNode head, String member, Function<KubeObject, ObjectNode> item) {
    return new JsonForm(head, member, item);
  }

  /** A list in protobuf. */
  record ProtobufForm(
      String apiVersion, String kind, ObjectNode metadata, Function<KubeObject, ObjectNode> item)
      implements ListForm {
    @Override
    public byte[] start(long length) {
      return ProtobufList.start(apiVersion, kind, metadata, length);
    }

    @Override
    public boolean isMeasured() {
      return true;
    }

    @Override
    public void write(KubeObject object, boolean first, ByteArrayOutputStream out) {
      out.writeBytes(ProtobufList.item(item.apply(object)));
    }

    @Override
    public byte[] end() {
      return ProtobufList.end();
    }

    @Override
    public byte[] empty() {
      ByteArrayOutputStream out = new ByteArrayOutputStream(64);
      out.writeBytes(start(0));
      out.writeBytes(end());
      return out.toByteArray();
    }

    @Override
    public ListForm inYaml() {
      return this;
    }
  }

  /** A list in JSON. */
  class JsonForm implements ListForm {
    private final ObjectNode head;
    private final String member;
    private final Function<KubeObject, ObjectNode> item;

    JsonForm(ObjectNode head, String member, Function<KubeObject, ObjectNode> item) {
      this.head = head;
      this.member = member;
      this.item = item;
    }

    @Override
    public byte[] start(long length) {
      byte[] whole = empty();
      return Arrays.copyOf(whole, whole.length - "]}".length());
    }

    static void separate(boolean first, ByteArrayOutputStream out) {
      if (!first) {
        out.write(',');
      }
    }

    @Override
    public void write(KubeObject object, boolean first, ByteArrayOutputStream out) {
      separate(first, out);
      out.writeBytes(Json.bytes(item.apply(object)));
    }

    @Override
    public byte[] end() {
      return "]}".getBytes(UTF_8);
    }

    @Override
    public byte[] empty() {
      return Json.bytes(head);
    }

    @Override
    public ListForm inYaml() {
      return new YamlForm(head, member, item);
    }
  }

  /** A list in YAML. */
  record YamlForm(ObjectNode head, String member, Function<KubeObject, ObjectNode> item)
      implements ListForm {
    @Override
    public byte[] start(long length) {
      ObjectNode before = Json.copyOf(head);
      before.remove(member);
      return (YamlWriter.text(before) + member + ":\n").getBytes(UTF_8);
    }

    /** Writes an item as the only one of a list, without the line that begins the list. */
    @Override
    public void write(KubeObject object, boolean first, ByteArrayOutputStream out) {
      ObjectNode alone = Json.object();
      alone.putArray(member).add(item.apply(object));
      out.writeBytes(YamlWriter.text(alone).substring(member.length() + 2).getBytes(UTF_8));
    }

    @Override
    public byte[] end() {
      return new byte[0];
    }

    @Override
    public byte[] empty() {
      return YamlWriter.text(head).getBytes(UTF_8);
    }

    @Override
    public ListForm inYaml() {
      return this;
    }
  }
}
