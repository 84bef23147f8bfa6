package dev.stint.apiserver;

import dev.stint.apiserver.admission.AdmissionStep;
import dev.stint.apiserver.outcome.NameGenerator;
import dev.stint.apiserver.outcome.NewObject;
import dev.stint.apiserver.patch.FieldManager;
import dev.stint.apiserver.patch.ManagedFields;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.PreconditionFailedException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates objects: admits, completes and validates them, and writes them if the name is free. If a
 * generated name is taken, another one is generated.
 */
final class ObjectCreator {
  private static final int GENERATED_NAMES_TRIED = 8;

  private final StoredObjects stored;
  private final List<AdmissionStep> admission;
  private final NameGenerator identities;
  private final InstantSource clock;

  ObjectCreator(
      StoredObjects stored,
      List<AdmissionStep> admission,
      NameGenerator identities,
      InstantSource clock) {
    this.stored = stored;
    this.admission = admission;
    this.identities = identities;
    this.clock = clock;
  }

  CompletableFuture<KubeObject> create(
      Strategy strategy, KubeObject requested, WriteOptions options) {
    KubeObject wanted = requested;
    for (AdmissionStep step : admission) {
      wanted = step.mutate(strategy.kind(), wanted);
    }
    return create(strategy, requested, wanted, options, GENERATED_NAMES_TRIED);
  }

  private CompletableFuture<KubeObject> create(
      Strategy strategy, KubeObject requested, KubeObject wanted, WriteOptions options, int tries) {
    NewObject creation = checked(strategy, requested, wanted, options);
    ObjectNode kept = strategy.kept(creation.tree());
    byte[] value = stored.bytes(creation.ref(), kept);
    options.warn(() -> strategy.warnings(null, creation.tree()));
    for (AdmissionStep step : admission) {
      step.validateNew(creation.ref(), wanted.tree(), creation.tree(), options);
    }
    options.admission().check(null, KubeObject.of(creation.tree()));
    if (options.dryRun()) {
      return dryRun(creation);
    }
    if (NewObject.namesRevision(wanted)) {
      throw ApiErrors.badRequest("resourceVersion should not be set on objects to be created");
    }
    return stored
        .write(creation.ref(), value, kept, null)
        .exceptionallyCompose(failure ->
            switch (ApiFutures.cause(failure)) {
              case PreconditionFailedException _ when creation.generated() && tries > 1 ->
                  ApiFutures.deciding(
                      strategy, () -> create(strategy, requested, wanted, options, tries - 1));
              case PreconditionFailedException _ -> alreadyExists(creation.ref());
              case Throwable other -> CompletableFuture.failedFuture(other);
            });
  }

  /** Returns a validated new object with its managed fields. */
  private NewObject checked(
      Strategy strategy, KubeObject requested, KubeObject wanted, WriteOptions options) {
    Instant now = clock.instant();
    NewObject creation = NewObject.of(strategy, wanted, identities, now);
    FieldManager manager = options.manager();
    if (manager != null) {
      ObjectNode asked =
          RequestedObject.of(
              withoutAdmission(strategy, requested, wanted, creation), requested.tree(), strategy);
      ManagedFields.updated(null, creation.tree(), asked, manager, now, strategy.shape());
    }
    return creation;
  }

  /** Returns the new object as it would be if admission had not changed its containers. */
  private static ObjectNode withoutAdmission(
      Strategy strategy, KubeObject requested, KubeObject wanted, NewObject creation) {
    if (requested.tree().path("spec").get("containers")
        == wanted.tree().path("spec").get("containers")) {
      return creation.tree();
    }
    ObjectNode plain = MetadataDefaults.edit(strategy.draft(requested.tree()));
    var _ = strategy.create(plain);
    return plain;
  }

  private CompletableFuture<KubeObject> dryRun(NewObject creation) {
    if (stored.has(creation.ref())) {
      return alreadyExists(creation.ref());
    }
    stored.checkRoom(creation.ref(), creation.tree());
    return CompletableFuture.completedFuture(KubeObject.of(creation.tree()));
  }

  private static CompletableFuture<KubeObject> alreadyExists(ObjectRef ref) {
    return CompletableFuture.failedFuture(ApiErrors.alreadyExists(ref));
  }
}
