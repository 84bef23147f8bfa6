package dev.stint.simulation;

import java.util.function.LongFunction;

/** The kinds of worlds, by the parts of the system that they play. */
public enum WorldKind {
  /** A few Jobs on one machine, whose process and disk fail. */
  JOBS(SeededRun::new),
  /** Replicas that share Jobs by shards. */
  SHARDS(ShardedRun::new),
  /** Jobs that one cluster hands to another, or to one of three. */
  MIRRORS(seed -> new MirrorRun(seed, Math.floorMod(seed, 20) < 10 ? 1 : 3)),
  /** Jobs under quotas that come, change and go. */
  QUOTAS(seed -> new SeededRun(seed, happened -> new QuotaNeighbours(seed, happened))),
  /** Jobs beside custom resources that come, change and go. */
  CUSTOM_RESOURCES(seed -> new SeededRun(seed, happened -> new CustomNeighbours(seed, happened))),
  /** Jobs beside namespaces, CronJobs, bare pods and a Node that come, change and go. */
  HOUSEKEEPING(seed -> new SeededRun(seed, happened -> new HousekeepingNeighbours(seed, happened))),
  /** Commands that share a data directory. */
  SHARED_DIRECTORY(SharedDirectoryRun::new);

  private static final int OF = 10;

  private final LongFunction<SimulatedWorld> worlds;

  WorldKind(LongFunction<SimulatedWorld> worlds) {
    this.worlds = worlds;
  }

  /** Returns the world of the seed. */
  public SimulatedWorld world(long seed) {
    return worlds.apply(seed);
  }

  /**
   * Returns the kind of the seed, where none is chosen: eight of ten are {@link #JOBS}. Later kinds
   * are only played if they are chosen, so that a seed plays the same kind as ever.
   */
  public static WorldKind of(long seed) {
    return switch (Math.floorMod(seed, OF)) {
      case 0 -> SHARDS;
      case 5 -> MIRRORS;
      default -> JOBS;
    };
  }
}
