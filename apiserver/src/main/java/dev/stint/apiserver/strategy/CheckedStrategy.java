package dev.stint.apiserver.strategy;

import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import dev.stint.model.support.ConfigMapRules;
import dev.stint.model.support.LeaseRules;
import dev.stint.model.support.NodeRules;
import dev.stint.model.support.PriorityClassRules;
import dev.stint.model.support.SecretRules;
import dev.stint.model.support.ServiceAccountRules;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Strategies of kinds that have valid metadata and a few rules of their own. */
public abstract class CheckedStrategy extends PlainStrategy {
  CheckedStrategy(Kind kind) {
    super(kind);
  }

  @Override
  public final List<FieldError> create(ObjectNode object) {
    prepare(object, null);
    FieldErrors faults = new FieldErrors();
    faults.addAll(super.create(object));
    checkNew(FieldPath.root(object), faults);
    return faults.list();
  }

  @Override
  public final List<FieldError> update(ObjectNode before, ObjectNode after) {
    prepare(after, before);
    FieldErrors faults = new FieldErrors();
    faults.addAll(super.update(before, after));
    checkChanged(FieldPath.root(before), FieldPath.root(after), faults);
    return faults.list();
  }

  /**
   * Completes a new or changed object.
   *
   * @param stored the stored object; null for a new one
   */
  void prepare(ObjectNode object, @Nullable ObjectNode stored) {}

  abstract void checkNew(FieldPath root, FieldErrors faults);

  abstract void checkChanged(FieldPath before, FieldPath after, FieldErrors faults);

  /** Leases. */
  public static final class OfLease extends CheckedStrategy {
    private final FeatureGates gates;

    public OfLease(FeatureGates gates) {
      super(Kind.LEASE);
      this.gates = gates;
    }

    @Override
    void prepare(ObjectNode lease, @Nullable ObjectNode stored) {
      LeaseRules.dropGated(lease, stored, gates);
    }

    @Override
    void metadata(FieldPath metadata, FieldErrors faults) {
      MetadataRules.createWithAnyFinalizer(metadata, Formats::dnsSubdomain, faults);
    }

    @Override
    void metadata(FieldPath before, FieldPath after, FieldErrors faults) {
      MetadataRules.updateStatus(before, after, faults);
    }

    @Override
    public boolean allowsUnconditionalUpdate() {
      return false;
    }

    @Override
    public boolean createsOnUpdate() {
      return true;
    }

    @Override
    void checkNew(FieldPath root, FieldErrors faults) {
      LeaseRules.check(root.get("spec"), faults);
    }

    @Override
    void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {
      LeaseRules.check(after.get("spec"), faults);
    }
  }

  /** Config maps. */
  public static final class OfConfigMap extends CheckedStrategy {
    public OfConfigMap() {
      super(Kind.CONFIG_MAP);
    }

    @Override
    void checkNew(FieldPath root, FieldErrors faults) {
      ConfigMapRules.check(root, faults);
    }

    @Override
    void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {
      ConfigMapRules.update(before, after, faults);
    }
  }

  /** Secrets: {@code stringData} is write-only, {@code type} has a default. */
  public static final class OfSecret extends CheckedStrategy {
    public OfSecret() {
      super(Kind.SECRET);
    }

    @Override
    void prepare(ObjectNode secret, @Nullable ObjectNode stored) {
      SecretRules.complete(secret);
    }

    @Override
    void checkNew(FieldPath root, FieldErrors faults) {
      SecretRules.check(root, faults);
    }

    @Override
    void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {
      SecretRules.update(before, after, faults);
    }
  }

  /** Service accounts. */
  public static final class OfServiceAccount extends CheckedStrategy {
    public OfServiceAccount() {
      super(Kind.SERVICE_ACCOUNT);
    }

    @Override
    void prepare(ObjectNode account, @Nullable ObjectNode stored) {
      ServiceAccountRules.keepSecretNames(account);
    }

    @Override
    void checkNew(FieldPath root, FieldErrors faults) {}

    @Override
    void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {}
  }

  /** Priority classes. */
  public static final class OfPriorityClass extends CheckedStrategy {
    public OfPriorityClass() {
      super(Kind.PRIORITY_CLASS);
    }

    @Override
    public boolean hasGeneration() {
      return true;
    }

    @Override
    void metadata(FieldPath before, FieldPath after, FieldErrors faults) {
      MetadataRules.update(before, after, faults);
    }

    @Override
    void prepare(ObjectNode object, @Nullable ObjectNode stored) {
      PriorityClassRules.complete(object);
    }

    @Override
    void checkNew(FieldPath root, FieldErrors faults) {
      PriorityClassRules.create(root, faults);
    }

    @Override
    void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {
      PriorityClassRules.update(before, after, faults);
    }
  }

  /** Nodes; agents write their status. */
  public static final class OfNode extends CheckedStrategy {
    public OfNode() {
      super(Kind.NODE);
    }

    @Override
    public boolean hasStatus() {
      return true;
    }

    @Override
    void checkNew(FieldPath root, FieldErrors faults) {
      NodeRules.check(root.get("spec"), faults);
    }

    @Override
    void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {
      NodeRules.check(after.get("spec"), faults);
    }
  }
}
