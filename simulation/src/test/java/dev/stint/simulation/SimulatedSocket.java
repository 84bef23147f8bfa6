package dev.stint.simulation;

import dev.stint.embedded.share.MessageChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A connection between two processes. Each direction delivers its messages in order. When one end
 * closes, or its process dies, the other one still gets what was sent; a connection that breaks may
 * lose what is under way.
 */
final class SimulatedSocket {
  /** Receives what arrives at an end. */
  interface Receiver {
    void onMessage(ObjectNode message);

    /** Called once, when nothing arrives any more. */
    void onEnd();
  }

  private final End client;
  private final End server;
  private final List<Runnable> stalled = new ArrayList<>();
  private boolean stalls;

  SimulatedSocket(SimulatedProcess from, SimulatedProcess to) {
    client = new End(from.reader());
    server = new End(to.reader());
    client.peer = server;
    server.peer = client;
  }

  End client() {
    return client;
  }

  End server() {
    return server;
  }

  boolean isOpen() {
    return !client.closed && !server.closed;
  }

  /** True if it is open, or holds back what was sent before. */
  boolean isInUse() {
    return isOpen() || stalls;
  }

  /** Holds back all messages until {@link #flow}. */
  void stall() {
    stalls = true;
  }

  void flow() {
    stalls = false;
    List.copyOf(stalled).forEach(Runnable::run);
    stalled.clear();
  }

  /** Ends the connection for both processes, which live on; messages under way may be lost. */
  void breakDown(RandomGenerator random) {
    for (End end : List.of(client, server)) {
      end.deaf |= random.nextBoolean();
    }
    client.peer().hangUp();
    server.peer().hangUp();
    client.closed = true;
    server.closed = true;
  }

  private void travel(Runnable departure) {
    if (stalls) {
      stalled.add(departure);
    } else {
      departure.run();
    }
  }

  /** One end of the connection. */
  final class End implements MessageChannel {
    private final Executor reader;
    private @Nullable End peer;
    private @Nullable Receiver receiver;

    /** True once nothing can be sent from here. */
    private boolean closed;

    /** True if this end gets no message any more, only the news that there is none. */
    private boolean deaf;

    private boolean ended;

    private End(Executor reader) {
      this.reader = reader;
    }

    private End peer() {
      return Objects.requireNonNull(peer);
    }

    /** Sets what receives messages; before any arrives. */
    void receive(Receiver all) {
      receiver = all;
    }

    @Override
    public void send(ObjectNode message) {
      if (!closed) {
        End to = peer();
        travel(() -> to.reader.execute(() -> to.arrive(message)));
      }
    }

    private void arrive(ObjectNode message) {
      if (!ended && !deaf && receiver != null) {
        receiver.onMessage(message);
      }
    }

    /** Tells this end, after what is under way to it, that nothing else comes. */
    private void hangUp() {
      travel(() ->
          reader.execute(() -> {
            if (!ended && receiver != null) {
              ended = true;
              receiver.onEnd();
            }
          }));
    }

    @Override
    public boolean sendIfFits(ObjectNode message) {
      send(message);
      return true;
    }

    @Override
    public long unsentBytes() {
      return 0;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        deaf = true;
        hangUp();
        peer().hangUp();
        peer().closed = true;
      }
    }
  }
}
