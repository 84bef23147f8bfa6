package dev.stint.apiserver.flowcontrol;

/**
 * Deals hands of queues: each flow has the same few queues every time, and two flows rarely have
 * all of them in common. So one flow can fill its own queues only.
 */
final class ShuffleSharding {
  private ShuffleSharding() {}

  /**
   * Returns distinct queues for a flow.
   *
   * @param hash of the flow
   */
  static int[] hand(long hash, int queues, int handSize) {
    int[] hand = new int[handSize];
    long left = hash;
    for (int dealt = 0; dealt < handSize; dealt++) {
      int remaining = queues - dealt;
      int card = (int) Long.remainderUnsigned(left, remaining);
      left = Long.divideUnsigned(left, remaining);
      insert(hand, dealt, card);
    }
    return hand;
  }

  /** Inserts the card of that place among those not dealt yet into the sorted hand. */
  private static void insert(int[] hand, int dealt, int place) {
    int card = place;
    int at = 0;
    while (at < dealt && hand[at] <= card) {
      card++;
      at++;
    }
    System.arraycopy(hand, at, hand, at + 1, dealt - at);
    hand[at] = card;
  }
}
