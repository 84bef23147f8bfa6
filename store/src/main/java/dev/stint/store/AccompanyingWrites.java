package dev.stint.store;

import java.util.Map;

/**
 * Decides which other keys change together with a write: all of them or none. The sequencer asks
 * when it is the write's turn, so that nothing can come between the decision and the write.
 */
public interface AccompanyingWrites {
  /** Changes no other key. */
  AccompanyingWrites NONE = _ -> Map.of();

  /**
   * Decides. Called on the sequencer's thread, so it must be short and must not wait; called once
   * at most, and only if the write's own precondition holds.
   *
   * @param entries the entries that the writes before this one leave, durable or not
   * @return the new values by key; the write's own key is not among them
   * @throws RefusedException to refuse the write
   */
  Map<String, byte[]> decide(Entries entries) throws RefusedException;
}
