package dev.stint.cli.validate;

import dev.stint.model.document.Document;
import java.util.List;

/** The reasons why a place refuses documents that break no rule. */
interface Refusals {
  /** Returns the reasons to refuse a document, as lines for users. */
  List<String> of(Document document);

  /** Returns the reasons of both. */
  default Refusals and(Refusals other) {
    return document ->
        java.util.stream.Stream.concat(of(document).stream(), other.of(document).stream()).toList();
  }
}
