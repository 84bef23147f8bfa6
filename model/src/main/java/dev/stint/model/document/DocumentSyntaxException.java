package dev.stint.model.document;

/**
 * Thrown for text that is neither YAML nor JSON. The message is one line for the user, with the
 * position.
 */
public final class DocumentSyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  /**
   * @param line from 1; 0 if it is not known
   * @param column from 1; 0 if it is not known
   */
  DocumentSyntaxException(String sourceName, int line, int column, String problem) {
    super(position(sourceName, line, column) + ": " + problem);
    this.line = line;
    this.column = column;
  }

  int line() {
    return line;
  }

  int column() {
    return column;
  }

  private static String position(String sourceName, int line, int column) {
    return line == 0 ? sourceName : sourceName + ":" + line + (column == 0 ? "" : ":" + column);
  }
}
