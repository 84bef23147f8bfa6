package dev.stint.runner.device;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The devices of a machine, and which of them are taken. Not for use by several threads.
 *
 * @param <P> the users of devices, by identity or equality
 */
public final class DevicePool<P> {
  private final Map<P, Devices> taken = new HashMap<>();
  private final Devices all;
  private Devices free;

  public DevicePool(Devices all) {
    this.all = all;
    this.free = all;
  }

  /**
   * Takes the first free devices. Resources that the pool doesn't have are left out.
   *
   * @param counts how many of each resource; no more than are free
   */
  public Devices take(P user, Map<String, Long> counts) {
    return take(user, counts, free);
  }

  /**
   * Takes the devices that a user says it has, without those that don't exist or are not free. It
   * is not believed that it has more than it asked for: then too few would be left for others.
   *
   * @param counts how many of each resource it asked for
   */
  public Devices takeOver(P user, Devices known, Map<String, Long> counts) {
    return take(user, counts, known.without(known.without(free)));
  }

  private Devices take(P user, Map<String, Long> counts, Devices from) {
    Devices own = Devices.NONE;
    for (Map.Entry<String, Long> entry : counts.entrySet()) {
      List<String> ids =
          from.of(entry.getKey()).stream().distinct().limit(entry.getValue()).toList();
      own = own.with(entry.getKey(), ids);
    }
    if (!own.isEmpty()) {
      taken.put(user, own);
      free = free.without(own);
    }
    return own;
  }

  /** Returns a user's devices to the pool. */
  public void release(P user) {
    if (taken.remove(user) != null) {
      free = all;
      taken.values().forEach(own -> free = free.without(own));
    }
  }
}
