package dev.stint.apiserver;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.encryption.EncryptedValues;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.Quantity;
import dev.stint.model.quota.QuotaAccount;
import dev.stint.model.quota.QuotaDecision;
import dev.stint.model.quota.QuotaDecision.ObjectChange;
import dev.stint.store.AccompanyingWrites;
import dev.stint.store.Entries;
import dev.stint.store.Entry;
import dev.stint.store.RefusedException;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
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
  private static final int MAX_RECOUNTS = 1_000;

  private final SharedObjects shared;
  private final Supplier<ApiCatalogue> catalogue;

  /** The counts of quotas whose status is not current, by their keys; the oldest go first. */
  private final Map<String, Recount> recounts =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Recount> eldest) {
              return size() > MAX_RECOUNTS;
            }
          });

  /**
   * The usage that was counted for a quota. It holds as long as the quota has this revision: each
   * write that changes the usage changes the quota, too.
   */
  private record Recount(long revision, NavigableMap<String, Quantity> used) {}

  /**
   * @param catalogue returns the resources that are served now
   */
  NamespaceQuotas(SharedObjects shared, Supplier<ApiCatalogue> catalogue) {
    this.shared = shared;
    this.catalogue = catalogue;
  }

  /**
   * Returns what must be written together with an object. Whether its namespace has a quota is
   * decided by the sequencer, too: a quota may be created while this write waits.
   *
   * @param asked makes the change
   * @param entries the current entries, which save work
   */
  AccompanyingWrites about(ObjectRef ref, Supplier<ObjectChange> asked, Entries entries) {
    if (!QuotaAccount.isCounted(ref.kind())) {
      return AccompanyingWrites.NONE;
    }
    String prefix = StorageKeys.prefix(Kind.RESOURCE_QUOTA, ref.namespace());
    ObjectChange change = entries.hasPrefix(prefix) ? asked.get() : null;
    if (change != null && !change.mayMatter()) {
      return AccompanyingWrites.NONE;
    }
    return now ->
        now.hasPrefix(prefix) ? decide(ref, change == null ? asked.get() : change, now) : Map.of();
  }

  private Map<String, byte[]> decide(ObjectRef ref, ObjectChange change, Entries entries)
      throws RefusedException {
    String prefix = StorageKeys.prefix(Kind.RESOURCE_QUOTA, ref.namespace());
    Map<QuotaAccount, Entry> quotas = new LinkedHashMap<>();
    for (Entry entry : entries.list(prefix)) {
      if (!entry.key().equals(StorageKeys.of(ref))) {
        ObjectNode quota = Json.parse(EncryptedValues.readable(entry));
        quotas.put(new QuotaAccount(quota, catalogue.get().storedKinds()), entry);
      }
    }
    QuotaDecision decision =
        QuotaDecision.about(
            change,
            List.copyOf(quotas.keySet()),
            quota -> used(quota, Objects.requireNonNull(quotas.get(quota)), ref, entries));
    return switch (decision) {
      case QuotaDecision.Refused(String why) -> throw new RefusedException(why);
      case QuotaDecision.Charged(List<ObjectNode> charged) -> values(prefix, charged);
    };
  }

  private NavigableMap<String, Quantity> used(
      QuotaAccount quota, Entry stored, ObjectRef ref, Entries entries) {
    Recount known = recounts.get(stored.key());
    if (known != null && known.revision() == stored.revision()) {
      return known.used();
    }
    NavigableMap<String, Quantity> used =
        quota.counted(quota.countedKinds().stream().flatMap(kind -> all(kind, ref, entries)));
    recounts.put(stored.key(), new Recount(stored.revision(), used));
    return used;
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
