package dev.stint.apiserver.http;

import dev.stint.apiserver.http.router.Router;
import java.io.IOException;

/** What stands between the wire and the {@link Router}: who asks, and whether they may. */
public interface RequestFilter {
  /** Answers a request. Throws {@code ClusterException} where it is refused. */
  ApiResponse answer(Call call, ClientIdentity peer) throws IOException;
}
