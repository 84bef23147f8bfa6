package dev.stint.apiserver;

import dev.stint.apiserver.encryption.EncryptedValues;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.quota.QuotaAccount;
import dev.stint.model.quota.QuotaDecision;
import dev.stint.model.quota.QuotaDecision.ObjectChange;
import dev.stint.store.AccompanyingWrites;
import dev.stint.store.Entries;
import dev.stint.store.Entry;
import dev.stint.store.RefusedException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the resource quotas of namespaces. When an object is written, the store's sequencer decides
 * whether there is room for it, and writes the new usage together with it, so that concurrent
 * writes never exceed a quota.
 */
final class NamespaceQuotas {
  private final SharedObjects shared;

  NamespaceQuotas(SharedObjects shared) {
    this.shared = shared;
  }

  /**
   * Returns what must be written together with an object. Without a quota in its namespace, that is
   * nothing, which takes one look.
   *
   * @param asked makes the change
   * @param entries the current entries
   */
  AccompanyingWrites about(ObjectRef ref, Supplier<ObjectChange> asked, Entries entries) {
    String prefix = StorageKeys.prefix(Kind.RESOURCE_QUOTA, ref.namespace());
    if (!QuotaAccount.isCounted(ref.kind()) || !entries.hasPrefix(prefix)) {
      return AccompanyingWrites.NONE;
    }
    ObjectChange change = asked.get();
    return change.mayMatter() ? now -> decide(ref, change, now) : AccompanyingWrites.NONE;
  }

  private Map<String, byte[]> decide(ObjectRef ref, ObjectChange change, Entries entries)
      throws RefusedException {
    String prefix = StorageKeys.prefix(Kind.RESOURCE_QUOTA, ref.namespace());
    List<QuotaAccount> quotas =
        entries.list(prefix).stream()
            .filter(entry -> !entry.key().equals(StorageKeys.of(ref)))
            .map(entry -> new QuotaAccount(Json.parse(EncryptedValues.readable(entry)), Kind.all()))
            .toList();
    QuotaDecision decision =
        QuotaDecision.about(
            change, quotas, kinds -> kinds.stream().flatMap(kind -> all(kind, ref, entries)));
    return switch (decision) {
      case QuotaDecision.Refused(String why) -> throw new RefusedException(why);
      case QuotaDecision.Charged(List<ObjectNode> charged) -> values(prefix, charged);
    };
  }

  private Stream<QuotaAccount.Counted> all(Kind kind, ObjectRef ref, Entries entries) {
    List<Entry> stored = entries.list(StorageKeys.prefix(kind, ref.namespace()));
    return stored.stream().map(entry -> new QuotaAccount.Counted(kind, shared.peek(entry).tree()));
  }

  private static Map<String, byte[]> values(String prefix, List<ObjectNode> quotas) {
    Map<String, byte[]> values = new HashMap<>();
    for (ObjectNode quota : quotas) {
      String name = Json.text(Json.objectAt(quota, "metadata"), "name");
      values.put(prefix + Objects.requireNonNull(name), Json.bytes(quota));
    }
    return values;
  }
}
