package dev.stint.apiserver.http;

import dev.stint.apiserver.access.Authentication;
import dev.stint.apiserver.access.Authenticator;
import dev.stint.apiserver.access.User;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.IOException;

/** Lets through to the {@link Router} who is known and may do what is asked. */
public final class AccessGate implements Gate {
  private final Authenticator authenticator;
  private final Router router;

  public AccessGate(Authenticator authenticator, Router router) {
    this.authenticator = authenticator;
    this.router = router;
  }

  @Override
  public Reply answer(Call call, Peer peer) throws IOException {
    User user =
        switch (authenticator.of(peer.certificate(), call.headers().apply("Authorization"))) {
          case Authentication.Known(User known) -> known;
          case Authentication.Anonymous() -> User.ANONYMOUS;
          case Authentication.Refused(String why) ->
              throw new ClusterException(Reason.UNAUTHORIZED, "Unauthorized");
        };
    if (user.equals(User.ANONYMOUS) && Route.of(call.path()) instanceof Route.Objects) {
      throw new ClusterException(Reason.FORBIDDEN, "forbidden");
    }
    return router.answer(call);
  }
}
