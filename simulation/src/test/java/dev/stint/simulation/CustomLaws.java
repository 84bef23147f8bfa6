package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.model.KubeObject;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The laws of custom resources: of their definitions, owners, finalizers and generations. */
final class CustomLaws {
  private static final String DEFINITION = "CustomResourceDefinition";

  /** The stored objects of all kinds, by uid. */
  private final Map<String, KubeObject> stored = new LinkedHashMap<>();

  /** The uids of objects whose deletion a user has asked for. */
  final Set<String> deletedByUsers = new HashSet<>();

  /** The uids of objects whose finalizer a user has asked to remove. */
  final Set<String> letGoByUsers = new HashSet<>();

  private final OwnerLaws owners = new OwnerLaws(stored);
  private @Nullable AssertionError broken;

  /** Checks a durable change. */
  void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    KubeObject any = after == null ? before : after;
    if (any == null || any.kindName().equals("Event")) {
      return;
    }
    owners.changed(before, after);
    if (isChecked(any)) {
      if (before != null && (after == null || isMarked(before, after))) {
        deleted(before, after);
      }
      if (before != null) {
        held(before, after);
      }
      if (before != null && after != null) {
        updated(before, after);
      }
    }
    if (after != null) {
      stored.put(after.uid(), after);
    } else {
      stored.remove(any.uid());
    }
    if (after == null && any.kindName().equals(DEFINITION)) {
      List<KubeObject> left = objectsOf(any).toList();
      if (!left.isEmpty()) {
        breaks(any, "goes before its objects: " + left);
      }
    }
  }

  /** A finalizer of a user stays until a user removes it. */
  private void held(KubeObject before, @Nullable KubeObject after) {
    boolean stays = after != null && after.finalizers().contains(CustomNeighbours.HOLD);
    if (before.finalizers().contains(CustomNeighbours.HOLD)
        && !stays
        && !letGoByUsers.contains(before.uid())) {
      breaks(before, "loses the finalizer of a user");
    }
  }

  private static boolean isMarked(KubeObject before, KubeObject after) {
    return before.deletionTimestamp() == null && after.deletionTimestamp() != null;
  }

  /** True for custom resources, and for config maps, which they own. */
  private static boolean isChecked(KubeObject object) {
    return isCustom(object) || object.kindName().equals("ConfigMap");
  }

  private static boolean isCustom(KubeObject object) {
    return object.apiVersion().startsWith(CustomNeighbours.GROUP + "/");
  }

  /** Only a user, the end of its definition and that of its owners delete an object. */
  private void deleted(KubeObject object, @Nullable KubeObject after) {
    if (deletedByUsers.contains(object.uid()) || object.deletionTimestamp() != null) {
      return;
    }
    boolean definitionGoes =
        isCustom(object)
            && definitions()
                .noneMatch(each -> defines(each, object) && each.deletionTimestamp() == null);
    if (definitionGoes) {
      return;
    }
    String wrong =
        owners.mayBeCollected(object) ? owners.deleted(object, after) : "is deleted by nobody";
    if (wrong != null) {
      breaks(object, wrong);
    }
  }

  /** Returns the access of a garbage collector, whose requests are checked. */
  Cluster ofCollector(Cluster cluster, EventLoop loop) {
    return owners.observed(cluster, loop, this::breaks);
  }

  Stream<KubeObject> definitions() {
    return stored.values().stream().filter(each -> each.kindName().equals(DEFINITION));
  }

  Stream<KubeObject> objectsOf(KubeObject definition) {
    return stored.values().stream().filter(each -> isCustom(each) && defines(definition, each));
  }

  /** Returns what may own others: custom resources and Jobs. */
  Stream<KubeObject> owners() {
    return stored.values().stream().filter(each -> isCustom(each) || each.kindName().equals("Job"));
  }

  Stream<KubeObject> checked() {
    return stored.values().stream().filter(CustomLaws::isChecked);
  }

  private static boolean defines(KubeObject definition, KubeObject object) {
    return definition.tree().at("/spec/names/kind").asString("").equals(object.kindName());
  }

  /** The generation counts the changes of the specification, not those of the status. */
  private void updated(KubeObject before, KubeObject after) {
    if (!isCustom(after) || isMarked(before, after)) {
      return;
    }
    boolean same = Objects.equals(before.spec(), after.spec());
    if (after.generation() != before.generation() + (same ? 0 : 1)) {
      breaks(after, "has a wrong generation");
    }
  }

  private void breaks(KubeObject object, String how) {
    breaks(object + " " + how + "\n  object " + object.tree());
  }

  private void breaks(String how) {
    if (broken == null) {
      broken = new AssertionError(how);
    }
  }

  /** Throws the violation that was found, if there is one. */
  void hold() {
    if (broken != null) {
      throw broken;
    }
  }

  /** Checks what must hold once nothing changes any more, and all definitions are there. */
  void checkEnd() {
    hold();
    for (KubeObject object : Stream.concat(checked(), definitions()).toList()) {
      String wrong = owners.atEnd(object);
      if (wrong != null) {
        breaks(object, wrong);
      }
      if (object.deletionTimestamp() != null) {
        breaks(object, "is never removed");
      }
    }
    hold();
  }
}
