package dev.stint.embedded.share;

import tools.jackson.databind.node.ObjectNode;

/** One end of a connection between a command and the holder of its data directory. */
public interface MessageChannel extends AutoCloseable {
  /** Sends a message, or closes the channel if it is too large; does nothing once it is closed. */
  void send(ObjectNode message);

  /** Sends a message; false if it is too large. Does nothing once the channel is closed. */
  boolean sendIfFits(ObjectNode message);

  /** Returns the number of bytes that wait for the peer to read. */
  long unsentBytes();

  @Override
  void close();
}
