package dev.stint.model.support;

import dev.stint.model.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Rules of a ServiceAccount. */
public final class ServiceAccountRules {
  private ServiceAccountRules() {}

  /** Reduces the references to secrets to their names, which identify them. */
  public static void keepSecretNames(ObjectNode account) {
    ArrayNode given = Json.arrayAt(account, "secrets");
    if (given == null) {
      return;
    }
    ArrayNode secrets = Json.array();
    for (int i = 0; i < given.size(); i++) {
      ObjectNode kept = secrets.addObject();
      String name = Json.text(given.get(i), "name");
      if (name != null && !name.isEmpty()) {
        kept.put("name", name);
      }
    }
    account.set("secrets", secrets);
  }
}
