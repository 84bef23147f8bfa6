package dev.stint.build;

import java.nio.file.Path;
import java.util.List;

/** The format of one sort of source files. */
interface SourceFormat {
  /** True if {@code file} has to have this format. */
  boolean covers(Path file);

  /**
   * Names what differs from this format.
   *
   * @param files those that it covers, at least one
   */
  List<String> check(List<Path> files);

  /**
   * Rewrites what differs from this format.
   *
   * @param files those that it covers, at least one
   * @return what could not be rewritten
   */
  List<String> apply(List<Path> files);
}
