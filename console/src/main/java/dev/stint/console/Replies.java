package dev.stint.console;

import dev.stint.apiserver.http.Reply;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;

/** What all answers of the console have in common. */
final class Replies {
  /**
   * For each answer. Nothing but what the console serves itself is run or shown, nobody may frame
   * it, and no text becomes markup.
   */
  static final List<Reply.Header> SAFE =
      List.of(
          new Reply.Header(
              "Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                  + "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                  + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"),
          new Reply.Header("X-Content-Type-Options", "nosniff"),
          new Reply.Header("X-Frame-Options", "DENY"),
          new Reply.Header("Referrer-Policy", "no-referrer"),
          new Reply.Header("Cross-Origin-Opener-Policy", "same-origin"),
          new Reply.Header("Cross-Origin-Resource-Policy", "same-origin"));

  private Replies() {}

  /** Why not, in one line. */
  static Reply.Whole refused(int code, String why) {
    return Reply.json(code, Json.object().put("error", why));
  }

  /** Another header. */
  static Reply with(Reply reply, Reply.Header header) {
    return with(reply, List.of(header));
  }

  /** The same, safe to be shown. */
  static Reply safe(Reply reply) {
    return with(reply, SAFE);
  }

  private static Reply with(Reply reply, List<Reply.Header> more) {
    List<Reply.Header> all = new ArrayList<>(reply.headers());
    all.addAll(more);
    return switch (reply) {
      case Reply.Whole(int code, String type, byte[] body, _) ->
          new Reply.Whole(code, type, body, List.copyOf(all));
      case Reply.Streamed(int code, String type, Reply.Body body, _) ->
          new Reply.Streamed(code, type, body, List.copyOf(all));
      case Reply.Upgraded _ -> throw new IllegalStateException("nothing is upgraded here");
    };
  }
}
