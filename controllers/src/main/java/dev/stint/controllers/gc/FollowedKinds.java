package dev.stint.controllers.gc;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.model.Kind;
import dev.stint.reconcile.Informer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** The informers of the kinds that the garbage collector follows. */
final class FollowedKinds {
  private final Cluster cluster;
  private final EventLoop loop;
  private final Function<Kind, Informer.Listener> listeners;
  private final Map<Kind, Informer> informers = new LinkedHashMap<>();

  /** The kinds of which no list has ended yet. */
  private final Set<Kind> unlisted = new HashSet<>();

  /** Those of them whose list has failed. Built-in kinds are waited for all the same. */
  private final Set<Kind> unreadable = new HashSet<>();

  /**
   * @param listeners returns the listener for a kind
   */
  FollowedKinds(Cluster cluster, EventLoop loop, Function<Kind, Informer.Listener> listeners) {
    this.cluster = cluster;
    this.loop = loop;
    this.listeners = listeners;
  }

  /**
   * Starts to follow the kinds that are new, and stops with those that are gone.
   *
   * @param gone receives these
   * @return false if there are neither
   */
  boolean follow(List<Kind> kinds, Consumer<Kind> gone) {
    List<Kind> former = informers.keySet().stream().filter(each -> !kinds.contains(each)).toList();
    for (Kind kind : former) {
      unlisted.remove(kind);
      unreadable.remove(kind);
      Objects.requireNonNull(informers.remove(kind)).close();
      gone.accept(kind);
    }
    List<Kind> fresh = kinds.stream().filter(each -> !informers.containsKey(each)).toList();
    unlisted.addAll(fresh);
    for (Kind kind : fresh) {
      Informer informer = new Informer(cluster, kind, loop, listeners.apply(kind));
      informers.put(kind, informer);
      informer.start();
    }
    return !former.isEmpty() || !fresh.isEmpty();
  }

  /** Stops with all kinds. */
  void close() {
    informers.values().forEach(Informer::close);
  }

  /** Records that all objects of a kind are known; returns false if that is nothing new. */
  boolean onListed(Kind kind) {
    unreadable.remove(kind);
    return unlisted.remove(kind);
  }

  /** Records that a kind cannot be listed; returns false if that is nothing new. */
  boolean onListFailure(Kind kind) {
    return unlisted.contains(kind)
        && Kind.of(kind.apiVersion(), kind.kind()).isEmpty()
        && unreadable.add(kind);
  }

  /** True if all kinds have been listed, but custom ones that cannot be. */
  boolean isReady() {
    return unreadable.containsAll(unlisted);
  }

  /** True if all kinds have been listed. */
  boolean isComplete() {
    return unlisted.isEmpty();
  }
}
