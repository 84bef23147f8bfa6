package dev.stint.apiserver.http;

import java.io.IOException;

/** A filter between the HTTP server and the router, such as authentication and authorization. */
public interface RequestFilter {
  /** Answers a request. Throws {@code ClusterException} if it is refused. */
  ApiResponse answer(Call call, ClientIdentity peer) throws IOException;
}
