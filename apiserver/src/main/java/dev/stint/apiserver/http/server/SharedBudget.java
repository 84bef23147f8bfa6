package dev.stint.apiserver.http.server;

import dev.stint.apiserver.http.server.Requester.Rank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An amount that all requests share, so that nobody can take it from the others: there is a small
 * part for everybody unknown, a part for each user, one for all service accounts of a namespace,
 * and a reserve for administrators. Thread-safe.
 */
final class SharedBudget {
  /** The share of unknown users together, and of each of their addresses in that. */
  private static final int OF_UNKNOWN = 8;

  private static final int OF_ADDRESS = 2;

  /** The share of one user. */
  private static final int OF_USER = 4;

  /**
   * The share of all service accounts of a namespace: whoever may create one may create many. There
   * is room for the whole part of another user beside it.
   */
  private static final int OF_NAMESPACE = 2;

  /** The share of one connection of an administrator. */
  private static final int OF_CONNECTION = 2;

  /** The share that only administrators may take. */
  private static final int OF_ADMINISTRATORS = 8;

  private final long total;
  private final long unit;
  private final Map<Requester, Long> parts = new HashMap<>();

  /** The amounts that service accounts have taken, by their namespaces. */
  private final Map<String, Long> byNamespace = new HashMap<>();

  private final Collection<Waiter> waiters = new LinkedHashSet<>();
  private final ReentrantLock lock = new ReentrantLock();
  private long taken;
  private long byOthers;
  private long byUnknown;

  /**
   * @param total the whole amount
   * @param unit the largest amount that one request takes; the part of a user and the reserve are
   *     no smaller, unless the whole amount is
   */
  SharedBudget(long total, long unit) {
    this.total = total;
    this.unit = unit;
  }

  /** Somebody who waits for an amount. */
  private record Waiter(Requester who, long amount, CompletableFuture<Boolean> granted) {}

  /** Takes an amount; false if it does not fit. */
  boolean tryTake(Requester who, long amount) {
    lock.lock();
    try {
      boolean fits = fits(who, amount);
      add(who, fits ? amount : 0);
      return fits;
    } finally {
      lock.unlock();
    }
  }

  /** Takes an amount as soon as it fits; false if it did not fit in time. */
  boolean take(Requester who, long amount, Duration patience) throws InterruptedException {
    Waiter waiter = new Waiter(who, amount, new CompletableFuture<>());
    lock.lock();
    try {
      if (fits(who, amount)) {
        add(who, amount);
        return true;
      }
      waiters.add(waiter);
    } finally {
      lock.unlock();
    }
    try {
      return waiter.granted.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      return !isGivenUp(waiter);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    } catch (InterruptedException stopping) {
      giveBack(who, isGivenUp(waiter) ? 0 : amount);
      throw stopping;
    }
  }

  /** Ends waiting; false if the amount was granted meanwhile. */
  private boolean isGivenUp(Waiter waiter) {
    lock.lock();
    try {
      return waiters.remove(waiter);
    } finally {
      lock.unlock();
    }
  }

  /** Takes an amount even if it does not fit, for memory that is in use already. */
  void charge(Requester who, long amount) {
    lock.lock();
    try {
      add(who, amount);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes an amount for what is there already, even if it does not fit; false beyond twice what the
   * part or the whole has room for.
   */
  boolean tryCharge(Requester who, long amount) {
    lock.lock();
    try {
      boolean bearable =
          within(taken, amount, 2 * total)
              && within(parts.getOrDefault(who, 0L), amount, 2 * partOf(who))
              && within(ofNamespace(who), amount, 2 * total / OF_NAMESPACE);
      add(who, bearable ? amount : 0);
      return bearable;
    } finally {
      lock.unlock();
    }
  }

  /** Gives an amount back; those who wait get it in their order, as far as it fits. */
  void giveBack(Requester who, long amount) {
    if (amount == 0) {
      return;
    }
    List<Waiter> granted = new ArrayList<>();
    lock.lock();
    try {
      add(who, -amount);
      grant(granted);
    } finally {
      lock.unlock();
    }
    granted.forEach(waiter -> waiter.granted.complete(true));
  }

  private void grant(List<Waiter> granted) {
    for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
      Waiter waiter = each.next();
      if (fits(waiter.who, waiter.amount)) {
        add(waiter.who, waiter.amount);
        each.remove();
        granted.add(waiter);
      }
    }
  }

  /** True as soon as something fits; false if nothing did in time. */
  boolean awaitRoom(Requester who, Duration patience) throws InterruptedException {
    boolean room = take(who, 1, patience);
    giveBack(who, room ? 1 : 0);
    return room;
  }

  long taken() {
    lock.lock();
    try {
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** True if an amount fits. One that is larger than a part fits if nothing of it is taken. */
  private boolean fits(Requester who, long amount) {
    long own = parts.getOrDefault(who, 0L);
    return within(taken, amount, total)
        && within(own, amount, partOf(who))
        && within(ofNamespace(who), amount, total / OF_NAMESPACE)
        && (who.rank() == Rank.ADMINISTRATOR || within(byOthers, amount, total - reserve()))
        && (who.rank() != Rank.UNKNOWN || within(byUnknown, amount, total / OF_UNKNOWN));
  }

  /** Returns what the service accounts of a requester's namespace have taken; 0 for others. */
  private long ofNamespace(Requester who) {
    return byNamespace.getOrDefault(who.namespace(), 0L);
  }

  private static boolean within(long taken, long amount, long limit) {
    return taken == 0 || taken + amount <= limit;
  }

  /** Returns the most that somebody may have taken. */
  long partOf(Requester who) {
    return switch (who.rank()) {
      case ADMINISTRATOR -> total / OF_CONNECTION;
      case KNOWN -> Math.max(total / OF_USER, Math.min(unit, total / 2));
      case UNKNOWN -> total / OF_UNKNOWN / OF_ADDRESS;
    };
  }

  private long reserve() {
    return Math.max(total / OF_ADMINISTRATORS, Math.min(unit, total / 2));
  }

  private void add(Requester who, long amount) {
    if (amount == 0) {
      return;
    }
    taken += amount;
    parts.merge(who, amount, SharedBudget::sum);
    if (!who.namespace().isEmpty()) {
      byNamespace.merge(who.namespace(), amount, SharedBudget::sum);
    }
    if (who.rank() != Rank.ADMINISTRATOR) {
      byOthers += amount;
    }
    if (who.rank() == Rank.UNKNOWN) {
      byUnknown += amount;
    }
  }

  private static @Nullable Long sum(Long held, Long more) {
    return held + more == 0 ? null : Long.valueOf(held + more);
  }
}
