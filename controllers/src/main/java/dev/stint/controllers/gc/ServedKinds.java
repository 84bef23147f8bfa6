package dev.stint.controllers.gc;

import dev.stint.model.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds that the API serves now. They come and go with their definitions. */
public interface ServedKinds {
  /** Returns the kinds as which objects are stored. */
  List<Kind> stored();

  /**
   * Returns the kind that a document names, as it is stored; null if it is not served.
   *
   * @param apiVersion such as {@code batch/v1}
   */
  @Nullable Kind find(String apiVersion, String kind);

  /** Returns kinds that never change, of an API that may serve other known kinds as well. */
  static ServedKinds fixed(List<Kind> kinds) {
    return new ServedKinds() {
      @Override
      public List<Kind> stored() {
        return kinds;
      }

      @Override
      public @Nullable Kind find(String apiVersion, String kind) {
        return Kind.of(apiVersion, kind).orElse(null);
      }
    };
  }
}
