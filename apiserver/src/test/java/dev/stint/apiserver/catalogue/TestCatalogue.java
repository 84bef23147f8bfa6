package dev.stint.apiserver.catalogue;

import dev.stint.apiserver.strategy.DefinitionStrategy;
import dev.stint.model.FeatureGates;
import java.time.InstantSource;
import java.util.Map;

/** The default catalogue of tests. */
public final class TestCatalogue {
  public static final ApiCatalogue BUILT_IN =
      BuiltInResources.catalogue(
          FeatureGates.DEFAULT,
          null,
          true,
          new DefinitionStrategy(_ -> Map.of(), InstantSource.system()));

  private TestCatalogue() {}
}
