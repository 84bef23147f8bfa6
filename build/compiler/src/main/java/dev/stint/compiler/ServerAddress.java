package dev.stint.compiler;

import java.nio.file.Path;

/**
 * The socket of a server, and what the server can compile.
 *
 * @param socket its Unix socket
 * @param processorPath the jars of the compiler's plugins, which it keeps loaded
 */
record ServerAddress(Path socket, String processorPath) {
  /** True if the server has all plugins of a request, or the first of them. */
  boolean serves(String otherProcessorPath) {
    return otherProcessorPath.startsWith(processorPath);
  }
}
