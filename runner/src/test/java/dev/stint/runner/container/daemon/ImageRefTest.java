package dev.stint.runner.container.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.runner.container.PullPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageRefTest {
  private static final String DIGEST =
      "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

  @ParameterizedTest
  @CsvSource({
    "busybox, busybox:latest, docker.io, busybox",
    "team/tool:1.2, team/tool:1.2, docker.io, team/tool",
    "quay.io/team/tool, quay.io/team/tool:latest, quay.io, team/tool",
    "localhost/tool:x, localhost/tool:x, localhost, tool",
    "r.example:5000/tool, r.example:5000/tool:latest, r.example:5000, tool",
    "docker.io/library/busybox:1, docker.io/library/busybox:1, docker.io, library/busybox"
  })
  void aNameHasARegistryARepositoryAndATag(
      String image, String whole, String registry, String path) {
    ImageRef ref = ImageRef.parse(image).orElseThrow();
    assertThat(ref).hasToString(whole);
    assertThat(ref.registry()).isEqualTo(registry);
    assertThat(ref.path()).isEqualTo(path);
  }

  @Test
  void aDigestCountsMoreThanATag() {
    assertThat(ImageRef.parse("a/b:1@" + DIGEST).orElseThrow()).hasToString("a/b@" + DIGEST);
    assertThat(ImageRef.parse("b@" + DIGEST).orElseThrow().isLatest()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Tool", "a b", "a//b", "a:", "a@sha256:12", "-a", "a/../b", "a?x=y"})
  void whatIsNoNameIsSeen(String image) {
    assertThat(ImageRef.parse(image)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "busybox, , ALWAYS",
    "busybox:latest, , ALWAYS",
    "busybox:1, , IF_NOT_PRESENT",
    "busybox:1, Always, ALWAYS",
    "busybox, Never, NEVER",
    "busybox, IfNotPresent, IF_NOT_PRESENT"
  })
  void whatMayChangeByItsNameIsPulledAlways(String image, String asked, PullPolicy policy) {
    var container = Json.object().put("image", image);
    if (asked != null) {
      container.put("imagePullPolicy", asked);
    }
    assertThat(PullPolicy.of(container, ImageRef.parse(image).orElseThrow())).isEqualTo(policy);
  }
}
