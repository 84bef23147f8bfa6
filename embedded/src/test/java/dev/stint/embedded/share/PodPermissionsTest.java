package dev.stint.embedded.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class PodPermissionsTest {
  private static PodPermissions claims(String... dirs) {
    Map<String, Path> claims = new TreeMap<>();
    for (int i = 0; i < dirs.length; i += 2) {
      claims.put(dirs[i], Path.of(dirs[i + 1]));
    }
    return new PodPermissions(claims, List.of(), false);
  }

  private static PodPermissions paths(String... paths) {
    return new PodPermissions(Map.of(), List.of(paths).stream().map(Path::of).toList(), false);
  }

  @Test
  void whatACommandAsksForIsNamedByItsFlags() {
    PodPermissions all =
        new PodPermissions(Map.of("models", Path.of("/srv")), List.of(Path.of("/data")), true);
    assertThat(all.missingIn(PodPermissions.NONE))
        .containsExactly("--volume-dir", "models=/srv", "--host-path", "/data", "--require-limits");
    assertThat(all.missingIn(all)).isEmpty();
    assertThat(PodPermissions.NONE.missingIn(all)).isEmpty();
  }

  @Test
  void aClaimHasItsDirectoryInEveryNamespace() {
    assertThat(claims("models", "/srv").missingIn(claims("models", "/other"))).isNotEmpty();
    assertThat(claims("models", "/srv").missingIn(claims("team/models", "/srv"))).isNotEmpty();
    assertThat(claims("team/models", "/srv").missingIn(claims("models", "/srv"))).isEmpty();
    assertThat(claims("models", "/srv").missingIn(claims("models", "/srv", "team/models", "/x")))
        .as("pods of namespace team get another one")
        .isNotEmpty();
  }

  @Test
  void whatIsInAnAllowedDirectoryIsAllowed() {
    assertThat(paths("/data/in").missingIn(paths("/data"))).isEmpty();
    assertThat(paths("/data").missingIn(paths("/data/in"))).containsExactly("--host-path", "/data");
    assertThat(paths("/data-2").missingIn(paths("/data"))).isNotEmpty();
  }

  @Test
  void directoriesThatOthersGiveAreTold() {
    assertThat(claims("models", "/srv", "a", "/a").claimsUnlike(claims("a", "/a")))
        .containsExactly("--volume-dir", "models=/srv");
    assertThat(paths("/data").claimsUnlike(PodPermissions.NONE)).isEmpty();
  }

  @Test
  void theNextHolderKeepsThem() {
    PodPermissions both = claims("a", "/a").and(claims("b", "/b")).and(paths("/data"));
    assertThat(both.missingIn(claims("a", "/a", "b", "/b").and(paths("/data")))).isEmpty();
    assertThat(both.and(new PodPermissions(Map.of(), List.of(), true)).requireLimits()).isTrue();
  }

  private static PodPermissions daemon(String socket) {
    return new PodPermissions(Map.of(), List.of(), false, Path.of(socket));
  }

  @Test
  void containersAreOfOneDaemon() {
    PodPermissions docker = daemon("/run/docker.sock");
    assertThat(docker.missingIn(daemon("/run/podman.sock")))
        .containsExactly("--container-socket", "/run/docker.sock");
    assertThat(docker.missingIn(docker)).isEmpty();
    assertThat(docker.missingIn(PodPermissions.NONE))
        .as("a command that found no daemon")
        .isEmpty();
    assertThat(PodPermissions.NONE.and(docker))
        .as("what it does as the next holder")
        .isEqualTo(docker);
  }

  @Test
  void theyTravelInTheGreeting() {
    PodPermissions permissions =
        new PodPermissions(
            Map.of("models", Path.of("/srv")),
            List.of(Path.of("/data")),
            true,
            Path.of("/run/docker.sock"));
    HolderInfo holder = new HolderInfo(7, "run", "process", "", null, permissions);
    assertThat(HolderInfo.of(holder.toJson())).isEqualTo(holder);
    ObjectNode older = holder.toJson();
    older.remove("terms");
    assertThat(HolderInfo.of(older).permissions()).isEqualTo(PodPermissions.NONE);
  }
}
