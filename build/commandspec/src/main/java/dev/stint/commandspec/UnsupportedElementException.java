package dev.stint.commandspec;

import javax.lang.model.element.Element;

/** An element that cannot be described without reflection. Its message is for who compiles it. */
final class UnsupportedElementException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Element element;

  UnsupportedElementException(Element element, String message) {
    super(message);
    this.element = element;
  }

  Element element() {
    return element;
  }
}
