package dev.stint.commandspec;

/** The source of a class that the processor writes. */
interface GeneratedSource {
  String qualifiedName();

  /**
   * Returns the text.
   *
   * @throws UnsupportedElementException if an annotation says something that is not supported
   */
  String text();
}
