package dev.stint.dependencies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.dependencies.ThirdPartyLicences.Component;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ThirdPartyLicencesTest {
  private static final String BOM =
      """
      {"components": [
        {"group": "dev.stint", "name": "stint-model", "version": "1"},
        {"group": "b", "name": "dual", "version": "2",
          "licenses": [{"license": {"id": "GPL-2.0-only"}}, {"license": {"id": "Apache-2.0"}}]},
        {"group": "a", "name": "named", "version": "1",
          "licenses": [{"license": {"name": "Secret"}}]},
        {"group": "c", "name": "none", "version": "3"}]}
      """;

  private final List<Component> components =
      ThirdPartyLicences.components(JsonMapper.shared().readTree(BOM));

  @Test
  void everyThirdPartyComponentIsListedWithItsLicences() {
    assertThat(ThirdPartyLicences.text(components))
        .endsWith(
            """

            a:named:1: Secret
            b:dual:2: GPL-2.0-only or Apache-2.0
            c:none:3: none
            """);
  }

  @Test
  void oneAcceptedLicenceIsEnoughAndNoneIsRefused() {
    assertThat(components)
        .filteredOn(Component::hasAcceptedLicence)
        .extracting(Component::name)
        .containsExactly("b:dual:2");
  }
}
