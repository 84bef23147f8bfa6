package dev.stint.apiserver.strategy;

import dev.stint.apiextensions.definition.CompiledDefinition;
import dev.stint.apiextensions.definition.DefinitionCompiler;
import dev.stint.model.Json;
import dev.stint.model.Sha256;
import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The compiled forms of the definitions that were compiled last. One write asks for the same three
 * times: for the status, for the faults and for the catalogue; and tests install the same
 * definition in one control plane after the other. Compiling its rules takes longer than all else.
 *
 * <p>A compiled form depends on nothing but the text of its definition, and is immutable, so that
 * all control planes of the process may share it.
 */
final class RecentDefinitions {
  private static final int MOST = 32;

  /** The compiled forms by the digests of what they are made of. Guarded by itself. */
  private static final Map<String, SoftReference<CompiledDefinition>> COMPILED =
      new LinkedHashMap<>(MOST, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(
            Map.Entry<String, SoftReference<CompiledDefinition>> eldest) {
          return size() > MOST;
        }
      };

  private RecentDefinitions() {}

  /** Returns the compiled form of a complete definition. */
  static CompiledDefinition compiled(ObjectNode definition) {
    String digest = digest(definition);
    CompiledDefinition known = find(digest);
    if (known != null) {
      return known;
    }
    CompiledDefinition compiled = DefinitionCompiler.compile(definition);
    synchronized (COMPILED) {
      COMPILED.put(digest, new SoftReference<>(compiled));
    }
    return compiled;
  }

  private static @Nullable CompiledDefinition find(String digest) {
    synchronized (COMPILED) {
      SoftReference<CompiledDefinition> found = COMPILED.get(digest);
      return found == null ? null : found.get();
    }
  }

  /** Returns the digest of all that {@link DefinitionCompiler} reads. */
  private static String digest(ObjectNode definition) {
    ObjectNode read = Json.object();
    ObjectNode metadata = Json.objectAt(definition, "metadata");
    if (metadata != null) {
      read.set("name", metadata.get("name"));
      read.set("annotations", metadata.get("annotations"));
    }
    read.set("spec", definition.get("spec"));
    return Sha256.hex(Json.bytes(read));
  }
}
