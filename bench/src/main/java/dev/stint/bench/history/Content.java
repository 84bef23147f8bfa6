package dev.stint.bench.history;

/**
 * The content that a client writes into an object. Each write has a text of its own, so a content
 * tells which writes made it.
 *
 * @param put written by creations and replacements
 * @param patched written by patches, which leave the other alone; "" after a replacement
 */
public record Content(String put, String patched) {
  Content with(String patch) {
    return new Content(put, patch);
  }

  /** Returns the value of the label that selective watches look at. */
  public String side() {
    return put.substring(put.length() - 1);
  }
}
