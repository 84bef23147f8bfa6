package dev.stint.apiserver.strategy;

import dev.stint.apiextensions.definition.CompiledDefinition;
import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiextensions.definition.CompiledDefinition.Faulty;
import dev.stint.apiextensions.definition.DefinitionCompiler;
import dev.stint.apiextensions.definition.DefinitionDefaults;
import dev.stint.apiextensions.definition.DefinitionNames;
import dev.stint.apiserver.webhook.CaBundle;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategy of CustomResourceDefinitions. A valid definition is established at once: its
 * resources are served as soon as it is stored.
 */
public final class DefinitionStrategy extends CheckedStrategy {
  private static final List<List<String>> IMMUTABLE =
      List.of(List.of("spec", "group"), List.of("spec", "names", "plural"));

  private static final List<List<String>> IMMUTABLE_ONCE_ESTABLISHED =
      List.of(List.of("spec", "scope"), List.of("spec", "names", "kind"));

  private final Function<String, Map<String, DefinitionNames>> acceptedNames;
  private final InstantSource clock;

  /**
   * @param acceptedNames returns the accepted names of the stored definitions of a group, by the
   *     names of the definitions
   */
  public DefinitionStrategy(
      Function<String, Map<String, DefinitionNames>> acceptedNames, InstantSource clock) {
    super(Kind.CUSTOM_RESOURCE_DEFINITION);
    this.acceptedNames = acceptedNames;
    this.clock = clock;
  }

  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  public boolean hasGeneration() {
    return true;
  }

  @Override
  public boolean allowsUnconditionalUpdate() {
    return false;
  }

  @Override
  void metadata(FieldPath metadata, FieldErrors faults) {
    MetadataRules.createClusterWide(metadata, Formats::dnsSubdomain, faults);
  }

  @Override
  void metadata(FieldPath before, FieldPath after, FieldErrors faults) {
    MetadataRules.updateStatus(before, after, faults);
  }

  @Override
  void prepare(ObjectNode object, @Nullable ObjectNode stored) {
    DefinitionDefaults.apply(object);
    if (stored == null) {
      object.remove("status");
    }
    establish(object);
  }

  private void establish(ObjectNode definition) {
    if (compiledAsStored(definition) instanceof CustomKind kind) {
      Map<String, DefinitionNames> others = new HashMap<>(acceptedNames.apply(kind.group()));
      others.remove(Json.text(MetadataDefaults.of(definition), "name"));
      DefinitionStatus.establish(definition, kind, others.values(), clock.instant());
    }
  }

  /** Looks again at the names, which another definition may have had until now. */
  @Override
  public List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    FieldErrors faults = new FieldErrors();
    checkStored(FieldPath.root(after), faults);
    establish(after);
    return faults.list();
  }

  /** Checks that a status names the version in which objects are stored, and no unknown one. */
  private static void checkStored(FieldPath definition, FieldErrors faults) {
    FieldPath stored = definition.get("status", "storedVersions");
    if (stored.items().isEmpty()) {
      faults.invalid(stored, "must have at least one stored version");
      return;
    }
    checkVersions(definition, faults);
    List<String> names = stored.items().stream().map(FieldPath::text).toList();
    for (FieldPath version : definition.get("spec", "versions").items()) {
      String name = version.get("name").text();
      if (version.get("storage").isTrue() && !names.contains(name)) {
        faults.invalid(stored, "must have the storage version " + name);
      }
    }
  }

  /**
   * Adds the finalizer of the cleanup: at the deletion, since a client that replaces a definition
   * by the one in its file drops every finalizer that the file has not.
   */
  @Override
  public void hold(ObjectNode definition) {
    DefinitionStatus.holdUntilCleanedUp(definition);
  }

  @Override
  public void markDeleting(ObjectNode definition) {
    DefinitionStatus.terminate(definition, clock.instant());
  }

  @Override
  void checkNew(FieldPath root, FieldErrors faults) {
    report(compiled((ObjectNode) root.node()), faults);
  }

  private static void report(CompiledDefinition compiled, FieldErrors faults) {
    if (compiled instanceof Faulty(var found)) {
      faults.addAll(found);
    }
  }

  @Override
  void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {
    ObjectNode changed = (ObjectNode) after.node();
    if (compiled(changed) instanceof Faulty) {
      report(DefinitionCompiler.compile(changed, (ObjectNode) before.node()), faults);
    }
    immutable(IMMUTABLE, before, after, faults);
    if (isEstablished((ObjectNode) before.node())) {
      immutable(IMMUTABLE_ONCE_ESTABLISHED, before, after, faults);
    }
    checkVersions(after, faults);
    checkBundle(caBundle(before), caBundle(after), faults);
  }

  private static FieldPath caBundle(FieldPath definition) {
    return definition.get("spec", "conversion", "webhook", "clientConfig").get("caBundle");
  }

  /** Checks that no bundle that works is replaced by one that does not. */
  private static void checkBundle(FieldPath before, FieldPath after, FieldErrors faults) {
    if (CaBundle.isValid(before.text()) && !CaBundle.isValid(after.text())) {
      faults.invalid(
          "spec.conversion.webhookClientConfig.caBundle",
          "unable to load root certificates: unable to parse bytes as PEM block");
    }
  }

  private static void immutable(
      List<List<String>> paths, FieldPath before, FieldPath after, FieldErrors faults) {
    for (List<String> path : paths) {
      FieldPath old = at(before, path);
      FieldPath now = at(after, path);
      if (!old.sameAs(now)) {
        faults.invalid(now, "field is immutable");
      }
    }
  }

  private static FieldPath at(FieldPath root, List<String> path) {
    FieldPath found = root;
    for (String name : path) {
      found = found.get(name);
    }
    return found;
  }

  /** Checks that no version is removed in which objects may be stored. */
  private static void checkVersions(FieldPath definition, FieldErrors faults) {
    List<String> versions =
        definition.get("spec", "versions").items().stream()
            .map(version -> version.get("name").text())
            .toList();
    for (FieldPath stored : definition.get("status", "storedVersions").items()) {
      if (!versions.contains(stored.text())) {
        faults.invalid(stored, "must appear in spec.versions");
      }
    }
  }

  private static CompiledDefinition compiled(ObjectNode definition) {
    return RecentDefinitions.compiled(definition);
  }

  /** Returns the same of a stored definition, which is served whatever its rules may cost. */
  private static CompiledDefinition compiledAsStored(ObjectNode definition) {
    CompiledDefinition compiled = compiled(definition);
    return compiled instanceof Faulty ? DefinitionCompiler.compileStored(definition) : compiled;
  }

  /** Returns a stored definition as a custom kind; null if it is not served. */
  public static @Nullable CustomKind served(ObjectNode definition) {
    return isEstablished(definition) && compiledAsStored(definition) instanceof CustomKind kind
        ? kind.withNames(acceptedNames(definition))
        : null;
  }

  /** Returns the names that a stored definition was given. */
  public static DefinitionNames acceptedNames(ObjectNode definition) {
    return DefinitionStatus.acceptedNames(definition);
  }

  /** True if a stored definition has been given all the names that it asked for first. */
  public static boolean isEstablished(ObjectNode definition) {
    return DefinitionStatus.has(definition, "Established");
  }

  /** True if a stored definition is being deleted, so that no objects may be created. */
  public static boolean isTerminating(ObjectNode definition) {
    return DefinitionStatus.has(definition, "Terminating");
  }
}
