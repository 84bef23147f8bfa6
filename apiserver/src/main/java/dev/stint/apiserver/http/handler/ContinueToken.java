package dev.stint.apiserver.http.handler;

import dev.stint.cluster.ClusterException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The content of a {@code continue} token: the position in a list.
 *
 * @param revision of the whole list; {@link #NEWEST} for that at the time of the request
 * @param after the last key of the previous page
 */
record ContinueToken(long revision, String after) {
  /** Stands for the newest revision. No list has it, since no store is without any change. */
  static final long NEWEST = 0;

  /** Returns the position of a list whose revision is forgotten. */
  static ContinueToken atNewest(String after) {
    return new ContinueToken(NEWEST, after);
  }

  /** Returns the revision of the list; null for the newest. */
  @Nullable Long asOf() {
    return revision == NEWEST ? null : revision;
  }

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
