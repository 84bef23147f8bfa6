package dev.stint.apiserver.http.handler;

import dev.stint.cluster.ClusterException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The content of a {@code continue} token: the position in a list.
 *
 * @param revision of the whole list
 * @param after the last key of the previous page
 */
record ContinueToken(long revision, String after) {
  /** Returns the token, which is opaque to clients. */
  String token() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((revision + ":" + after).getBytes(StandardCharsets.UTF_8));
  }

  /** Reads a token. Throws {@code BAD_REQUEST} if it is not one of ours. */
  static ContinueToken of(String token) throws ClusterException {
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      int colon = text.indexOf(':');
      if (colon > 0 && text.startsWith("/", colon + 1)) {
        return new ContinueToken(
            Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
      }
    } catch (IllegalArgumentException notOurs) {
      // Thrown below, as for every other invalid token.
    }
    throw RequestBodies.bad("continue key is not valid: omit it to list from the start");
  }
}
