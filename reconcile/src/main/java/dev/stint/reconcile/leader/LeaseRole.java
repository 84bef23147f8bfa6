package dev.stint.reconcile.leader;

/** The role that a process has while it holds a Lease. */
public enum LeaseRole {
  /** It does all of the work, and no other process does any. */
  LEADER(
      "Leading as %2$s, with the lease %1$s",
      "stopping work until elected again",
      "another process may lead now",
      "%2$s leads; waiting for the lease %1$s"),

  /** It works beside others of the same configuration, under one name: they share the Lease. */
  CONFIGURATION(
      "Working as one of %2$s, which share the lease %1$s",
      "stopping the work on all shards until it is held again",
      "processes of another configuration may work now",
      "%2$s share the lease %1$s; waiting until they are gone"),

  /** It works on one shard. */
  SHARD(
      "Working on the shard of the lease %1$s",
      "stopping the work on its shard",
      "another replica may work on its shard now",
      "%2$s works on the shard of the lease %1$s; waiting for it"),

  /** It is known to the other replicas; nobody else wants the Lease. */
  MEMBER(
      "The other replicas know of this one by the lease %1$s",
      "the other replicas take it for gone until it is renewed",
      "the other replicas share the work without this one now",
      "%2$s has the lease %1$s of this replica; waiting for it");

  private final String acquired;
  private final String consequence;
  private final String release;
  private final String waiting;

  LeaseRole(String acquired, String consequence, String release, String waiting) {
    this.acquired = acquired;
    this.consequence = consequence;
    this.release = release;
    this.waiting = waiting;
  }

  /** True if several processes hold the Lease at once, under one name. */
  boolean isShared() {
    return this == CONFIGURATION;
  }

  /** Returns the log line about a Lease that this process holds from now on. */
  String acquired(String lease, String holder) {
    return acquired.formatted(lease, holder);
  }

  /** Returns the log line about a Lease that this process no longer holds. */
  String lost(String lease, String reason) {
    return "Lost the lease %s: %s; %s".formatted(lease, reason, consequence);
  }

  /** Returns the log line about a Lease that this process has given back. */
  String released(String lease) {
    return "Released the lease %s: %s".formatted(lease, release);
  }

  /** Returns the log line about a Lease that another process holds. */
  String waiting(String lease, String holder) {
    return waiting.formatted(lease, holder);
  }
}
