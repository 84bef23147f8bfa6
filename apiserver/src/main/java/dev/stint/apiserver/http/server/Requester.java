package dev.stint.apiserver.http.server;

import dev.stint.apiserver.access.User;

/**
 * The one for whom the server holds something, such as a connection or the bytes of a body.
 *
 * @param name of a user; the address of somebody unknown; the connection of an administrator, since
 *     all administrators may have one name
 * @param namespace of a service account, "" of others: who may create one there may create many
 */
record Requester(Rank rank, String name, String namespace) {
  private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
  private static final String ADMINISTRATORS = "system:masters";

  /** The parts of a {@link SharedBudget}. */
  enum Rank {
    UNKNOWN,
    KNOWN,
    ADMINISTRATOR
  }

  /** Returns somebody who is not authenticated, or not yet. */
  static Requester unknown(String address) {
    return new Requester(Rank.UNKNOWN, address, "");
  }

  /** Returns whoever asks from an address, authenticated or not. */
  static Requester at(String address) {
    return new Requester(Rank.KNOWN, address, "");
  }

  /** Returns an authenticated user, or somebody unknown if the user is the anonymous one. */
  static Requester of(User user, String address, String connection) {
    if (user.equals(User.ANONYMOUS)) {
      return unknown(address);
    }
    return user.groups().contains(ADMINISTRATORS)
        ? new Requester(Rank.ADMINISTRATOR, connection, "")
        : new Requester(Rank.KNOWN, user.name(), namespace(user.name()));
  }

  private static String namespace(String user) {
    int end = user.lastIndexOf(':');
    return user.startsWith(SERVICE_ACCOUNT) && end > SERVICE_ACCOUNT.length()
        ? user.substring(SERVICE_ACCOUNT.length(), end)
        : "";
  }
}
