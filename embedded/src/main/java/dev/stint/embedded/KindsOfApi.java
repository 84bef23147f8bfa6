package dev.stint.embedded;

import dev.stint.apiserver.ApiServer;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.model.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds that the API server of this process serves, custom ones too. */
record KindsOfApi(ApiServer api) implements ServedKinds {
  @Override
  public List<Kind> stored() {
    return api.storedKinds();
  }

  @Override
  public @Nullable Kind find(String apiVersion, String kind) {
    return api.storedKind(apiVersion, kind).orElse(null);
  }
}
