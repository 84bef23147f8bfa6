package dev.stint.apiserver.admission;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads the stored objects that admission decides by. */
public interface ObjectReader {
  /** Returns an object's document, not to be changed; null if the object does not exist. */
  @Nullable ObjectNode tree(ObjectRef ref);

  /** Returns an object; null if it does not exist. */
  @Nullable KubeObject object(ObjectRef ref);

  /**
   * Returns the documents of the objects of a kind, which are few and read often; not to be
   * changed.
   *
   * @param namespace null for all
   */
  Stream<ObjectNode> trees(Kind kind, @Nullable String namespace);

  /**
   * Returns the objects of a kind in a namespace. They may be more than fit into memory: each one
   * is made when the list is asked for it, and every time anew.
   */
  List<KubeObject> objects(Kind kind, String namespace);

  /** True if there is an object of a kind in a namespace. */
  boolean hasAny(Kind kind, String namespace);
}
