package dev.stint.apiserver.catalogue;

import dev.stint.model.FeatureGates;

/** The catalogue that tests use which ask for no other. */
public final class TestCatalogue {
  public static final ApiCatalogue BUILT_IN =
      BuiltInResources.catalogue(FeatureGates.DEFAULT, null, true);

  private TestCatalogue() {}
}
