package dev.stint.build;

import java.nio.file.Path;
import java.util.List;

/** The format of one kind of source file. */
interface SourceFormat {
  /** True if {@code file} must have this format. */
  boolean covers(Path file);

  /**
   * Returns a line for each file that differs from this format.
   *
   * @param files those that it covers, at least one
   */
  List<String> check(List<Path> files);

  /**
   * Rewrites the files that differ from this format.
   *
   * @param files those that it covers, at least one
   * @return a line for each file that could not be rewritten
   */
  List<String> apply(List<Path> files);
}
