package dev.stint.apiserver.strategy;

import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import dev.stint.model.support.EventRules;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of events, which two groups serve: the core group hardly validates them. */
public final class EventStrategy implements Strategy {
  private final boolean modern;

  /**
   * @param modern true if events are written through the group events.k8s.io
   */
  public EventStrategy(boolean modern) {
    this.modern = modern;
  }

  @Override
  public Kind kind() {
    return Kind.EVENT;
  }

  @Override
  public String apiVersion() {
    return modern ? Kind.EVENTS_EVENT.apiVersion() : Kind.EVENT.apiVersion();
  }

  @Override
  public boolean createsOnUpdate() {
    return true;
  }

  /**
   * Completes and validates an event. If an event of the core group has faults, its metadata is not
   * validated.
   */
  @Override
  public List<FieldError> create(ObjectNode event) {
    EventRules.complete(event);
    FieldPath root = FieldPath.root(event);
    FieldPath metadata = root.get("metadata");
    FieldErrors faults = new FieldErrors();
    if (modern) {
      MetadataRules.create(metadata, Formats::dnsSubdomain, faults);
      EventRules.createModern(root, faults);
      return faults.list();
    }
    EventRules.check(root, faults);
    if (faults.isEmpty()) {
      MetadataRules.createWithAnyFinalizer(metadata, Formats::pathSegment, faults);
    }
    return faults.list();
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    EventRules.complete(after);
    FieldPath old = FieldPath.root(before);
    FieldPath changed = FieldPath.root(after);
    FieldErrors faults = new FieldErrors();
    if (modern) {
      MetadataRules.update(old.get("metadata"), changed.get("metadata"), faults);
      EventRules.updateModern(old, changed, faults);
    } else {
      MetadataRules.updateStatus(old.get("metadata"), changed.get("metadata"), faults);
      EventRules.check(changed, faults);
    }
    return faults.list();
  }
}
