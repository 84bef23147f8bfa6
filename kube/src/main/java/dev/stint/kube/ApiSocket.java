package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.kube.RenewableClient.Login;
import dev.stint.kube.http.AnswerHead;
import dev.stint.kube.http.RestRequest;
import dev.stint.kube.http.WebSocketStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import java.util.random.RandomGenerator;

/** Opens WebSockets to the API. */
final class ApiSocket {
  private static final int SWITCHING_PROTOCOLS = 101;

  private ApiSocket() {}

  /**
   * Opens a WebSocket. If the API does not accept our credentials, it is asked again with others.
   *
   * @throws ClusterException if it refuses, or does not answer
   */
  static WebSocketStream open(
      RestClient rest,
      RenewableClient client,
      RestRequest request,
      List<String> protocols,
      RandomGenerator random) {
    try {
      Login used = client.current();
      WebSocketStream socket = used.http().webSocket(request, protocols, random);
      AnswerHead head = socket.open();
      if (RestClient.isUnauthorized(head) && isRenewed(client, used, socket)) {
        socket.close();
        socket = client.current().http().webSocket(request, protocols, random);
        head = socket.open();
      }
      if (head.code() != SWITCHING_PROTOCOLS) {
        throw refusal(head, socket);
      }
      return socket;
    } catch (ProtocolException violation) {
      throw new ClusterException(
          Reason.INTERNAL, rest.base() + ": " + violation.getMessage(), List.of(), violation);
    } catch (IOException failure) {
      throw rest.unreachable(failure);
    }
  }

  private static boolean isRenewed(RenewableClient client, Login used, WebSocketStream refused)
      throws IOException {
    try {
      return client.renew(used);
    } catch (IOException | RuntimeException unreadable) {
      refused.close();
      throw unreadable;
    }
  }

  private static ClusterException refusal(AnswerHead head, WebSocketStream socket)
      throws IOException {
    try (socket) {
      return head.isSuccessful()
          ? new ClusterException(
              Reason.INTERNAL,
              "the API answers HTTP %d, but agrees to no WebSocket; is there a proxy before it?"
                  .formatted(head.code()))
          : StatusReader.of(head.code(), socket.readRefusal());
    }
  }
}
