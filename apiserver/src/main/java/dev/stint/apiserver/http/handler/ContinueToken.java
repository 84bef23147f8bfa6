package dev.stint.apiserver.http.handler;

import dev.stint.cluster.ClusterException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where a list goes on: what a {@code continue} token says.
 *
 * @param revision of the whole list
 * @param after the last key of the page before
 */
record ContinueToken(long revision, String after) {
  /** Opaque to clients. */
  String token() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((revision + ":" + after).getBytes(StandardCharsets.UTF_8));
  }

  /** Throws {@code BAD_REQUEST} where it is none of ours. */
  static ContinueToken of(String token) throws ClusterException {
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      int colon = text.indexOf(':');
      if (colon > 0 && text.startsWith("/", colon + 1)) {
        return new ContinueToken(
            Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
      }
    } catch (IllegalArgumentException notOurs) {
      // Said below, like all else that is none.
    }
    throw RequestBodies.bad("continue key is not valid: leave it out to list from the start");
  }
}
