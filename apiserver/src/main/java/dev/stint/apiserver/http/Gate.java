package dev.stint.apiserver.http;

import java.io.IOException;

/** What stands between the wire and the {@link Router}: who asks, and whether they may. */
public interface Gate {
  /** Answers a request. Throws {@code ClusterException} where it is refused. */
  Reply answer(Call call, Peer peer) throws IOException;
}
