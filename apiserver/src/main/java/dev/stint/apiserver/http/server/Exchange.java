package dev.stint.apiserver.http.server;

import dev.stint.apiserver.access.User;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.server.Request;

/**
 * One request, from its head to the end of its answer, and what the server holds for it. It counts
 * from the moment when its user is known, so that strangers take nothing from users: nothing but
 * authentication comes before. A health check never waits, and has a budget of its own.
 * Thread-safe.
 */
final class Exchange {
  /** The memory that the server holds for any request: a stream, a thread, its buffers. */
  private static final int LEAST_BYTES = 16 << 10;

  /**
   * Answers and pieces below this size are not counted one by one: the request's share has room.
   */
  static final int SMALL_BYTES = 4 << 10;

  /** The time that a request waits while earlier answers of its user are not read. */
  private static final Duration ROOM_TIMEOUT = Duration.ofSeconds(5);

  /** The same once its answer has begun. */
  private static final Duration LONG_ROOM_TIMEOUT = Duration.ofMinutes(1);

  /** A share of a budget, to be given back at the end. */
  private record Share(SharedBudget budget, Requester who, long amount) {
    void giveBack() {
      budget.giveBack(who, amount);
    }
  }

  private final Budgets budgets;
  private final OpenConnections.Held connection;
  private final long size;
  private final boolean check;
  private final Deque<Share> shares = new ArrayDeque<>();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private Requester who;
  private boolean admitted;
  private long bodyBytes;
  private int uses = 1;

  private Exchange(Budgets budgets, OpenConnections.Held connection, long size, boolean check) {
    this.check = check;
    this.budgets = budgets;
    this.connection = connection;
    this.size = size;
    this.who = Requester.unknown(connection.address());
  }

  /** Begins a request, which ends with {@link #end()}. */
  static Exchange begin(
      Budgets budgets, OpenConnections.Held connection, Request request, boolean check) {
    connection.onBegin();
    return new Exchange(budgets, connection, LEAST_BYTES + headBytes(request), check);
  }

  private static long headBytes(Request request) {
    long bytes = request.getHttpURI().toString().length();
    for (HttpField field : request.getHeaders()) {
      String value = field.getValue();
      bytes += field.getName().length() + (value == null ? 0 : value.length());
    }
    return bytes;
  }

  /**
   * Counts the request for an unknown user, or else among the refused ones, unless it is counted
   * already; false if it does not fit.
   */
  synchronized boolean isAdmitted() {
    if (!admitted) {
      admitted =
          check
              ? takesAside(budgets.checks(), size)
              : tryTake(budgets.requests(), size) || takesAside(budgets.refusals(), size);
    }
    return admitted;
  }

  /**
   * Takes memory from a budget that all users share by their addresses; false if it is not there.
   */
  private synchronized boolean takesAside(SharedBudget budget, long bytes) {
    Requester asking = Requester.at(connection.address());
    boolean fits = budget.tryTake(asking, bytes);
    if (fits) {
      shares.add(new Share(budget, asking, bytes));
    }
    return fits;
  }

  /** Closes the connection, which frees what the server holds for it. */
  void disconnect() {
    connection.close();
  }

  /**
   * Counts the request as one of this user from now on. Waits while answers to the user are not
   * read. Throws {@code TOO_MANY_REQUESTS} if the user has no room left.
   */
  void identify(User user) {
    Requester known = Requester.of(user, connection.address(), connection.id());
    connection.onUser(known);
    if (check) {
      return;
    }
    move(known);
    awaitRoom();
  }

  /**
   * Waits while answers to the user are not read. Throws {@code TOO_MANY_REQUESTS} if they are not
   * read in time.
   */
  void awaitRoom() {
    try {
      if (!budgets.answers().awaitRoom(who(), ROOM_TIMEOUT)) {
        throw tooMany("too many answers wait to be read");
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new ClusterException(Reason.UNAVAILABLE, "the server is shutting down");
    }
  }

  private synchronized Requester who() {
    return who;
  }

  private synchronized void move(Requester known) {
    if (admitted && known.equals(who)) {
      return;
    }
    if (!budgets.requests().tryTake(known, size)) {
      throw tooMany("too many requests");
    }
    shares.forEach(Share::giveBack);
    shares.clear();
    shares.add(new Share(budgets.requests(), known, size));
    budgets.bodies().giveBack(who, bodyBytes);
    budgets.bodies().charge(known, bodyBytes);
    who = known;
    admitted = true;
  }

  static ClusterException tooMany(String what) {
    return new ClusterException(Reason.TOO_MANY_REQUESTS, what + ", please try again later");
  }

  private synchronized boolean tryTake(SharedBudget budget, long amount) {
    boolean fits = budget.tryTake(who, amount);
    if (fits) {
      shares.add(new Share(budget, who, amount));
    }
    return fits;
  }

  /**
   * Takes a place for a response that is streamed; false if there is none.
   *
   * @param bytes of memory that it holds
   */
  boolean takesStream(long bytes) {
    return tryTake(budgets.streams(), 1) && tryTake(budgets.requests(), bytes);
  }

  /**
   * Takes memory for what is held beside an answer, such as a long list's places in the store;
   * false if it does not fit. It is given back at the end, if not before.
   */
  boolean takesMemory(long bytes) {
    return bytes < SMALL_BYTES || tryTake(budgets.requests(), counted(bytes));
  }

  synchronized void givesMemoryBack(long bytes) {
    Share share = new Share(budgets.requests(), who, counted(bytes));
    if (bytes >= SMALL_BYTES && shares.remove(share)) {
      share.giveBack();
    }
  }

  /** Returns what counts for a user who has nothing else, so that the longest list can be read. */
  private long counted(long bytes) {
    return Math.min(bytes, budgets.requests().partOf(who()) / 2);
  }

  /** Takes a place for a session with threads of its own; false if there is none. */
  boolean takesSession() {
    return tryTake(budgets.sessions(), 1);
  }

  /** Takes memory for a part of the body; false if it does not fit. */
  synchronized boolean takesBody(long bytes) {
    boolean fits = budgets.bodies().tryTake(who, bytes);
    bodyBytes += fits ? bytes : 0;
    return fits;
  }

  /** Returns the memory of the body to its budget. */
  synchronized void endsBody() {
    budgets.bodies().giveBack(who, bodyBytes);
    bodyBytes = 0;
  }

  /** Takes memory for the whole answer until the end; false if it does not fit. */
  boolean takesAnswer(long bytes) {
    return bytes < SMALL_BYTES
        || (check ? takesAside(budgets.checks(), bytes) : tryTake(budgets.answers(), bytes));
  }

  /**
   * Takes memory until the end for the answer to a write, which was done; false if it is far more
   * than there is.
   */
  synchronized boolean takesAnswerOfWrite(long bytes) {
    boolean bearable = bytes < SMALL_BYTES || budgets.answers().tryCharge(who, bytes);
    if (bearable && bytes >= SMALL_BYTES) {
      shares.add(new Share(budgets.answers(), who, bytes));
    }
    return bearable;
  }

  /** Waits for memory for a piece of the answer; false if it was not there in time. */
  boolean takesPiece(long bytes) throws InterruptedException {
    return bytes < SMALL_BYTES || budgets.answers().take(who(), bytes, LONG_ROOM_TIMEOUT);
  }

  void givesPieceBack(long bytes) {
    if (bytes >= SMALL_BYTES) {
      budgets.answers().giveBack(who(), bytes);
    }
  }

  /** Keeps the exchange open for one more call of {@link #end()}. */
  synchronized void keep() {
    uses++;
  }

  /** Adds a task for the end. */
  synchronized void onEnd(Runnable task) {
    tasks.add(task);
  }

  /** Ends it, and gives everything back. */
  synchronized void end() {
    uses--;
    if (uses == 0) {
      connection.onEnd();
      shares.forEach(Share::giveBack);
      shares.clear();
      tasks.forEach(Runnable::run);
      tasks.clear();
    }
  }
}
