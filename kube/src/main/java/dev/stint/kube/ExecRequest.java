package dev.stint.kube;

import java.util.List;

/**
 * A command to run in a container (Kubernetes API, PodExecOptions).
 *
 * @param command the program and its arguments
 * @param stdin true if the command gets input
 * @param tty true if it gets a terminal, which makes one of its output and its errors
 */
public record ExecRequest(String container, List<String> command, boolean stdin, boolean tty) {
  public ExecRequest {
    command = List.copyOf(command);
  }

  /** Returns the query of the request. */
  String query() {
    StringBuilder query = new StringBuilder("container=").append(ResourcePath.encoded(container));
    command.forEach(word -> query.append("&command=").append(ResourcePath.encoded(word)));
    return query
        + (stdin ? "&stdin=true" : "")
        + "&stdout=true"
        + (tty ? "&tty=true" : "&stderr=true");
  }
}
