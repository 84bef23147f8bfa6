package dev.stint.bench.history;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A request. All are about one object. */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
public sealed interface Action {

  record Create(Content content) implements Action {}

  /**
   * @param revision the one that it is based on; 0 if it replaces any
   */
  record Replace(Content content, long revision) implements Action {}

  record Patch(String text) implements Action {}

  /**
   * @param revision the only one to delete; 0 if any
   */
  record Delete(long revision) implements Action {}

  record Read() implements Action {}

  /** Returns the revision that it is based on; 0 if there is none. */
  default long precondition() {
    return switch (this) {
      case Replace replace -> replace.revision();
      case Delete delete -> delete.revision();
      case Create _, Patch _, Read _ -> 0;
    };
  }

  default boolean isWrite() {
    return !(this instanceof Read);
  }
}
