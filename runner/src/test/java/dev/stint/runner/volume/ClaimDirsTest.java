package dev.stint.runner.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimDirsTest {
  @TempDir Path dir;

  @Test
  void aClaimHasADirectoryOfItsNamespaceForAllUsers() throws Exception {
    ClaimDirs claims = new ClaimDirs(Map.of(), dir.resolve("volumes"));
    try (Handle opened = claims.open("team", "data")) {
      assertThat(opened.location()).isEqualTo(dir.toRealPath().resolve("volumes/team/data"));
    }
    assertThat(Files.getPosixFilePermissions(dir.resolve("volumes/team/data")))
        .isEqualTo(PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(claims.isOurs("team", "data")).isTrue();
    claims.open("team", "data").close();
  }

  @Test
  void aNamedDirectoryIsUsedAndTheOneOfTheNamespaceFirst() throws Exception {
    Path all = Files.createDirectory(dir.resolve("all"));
    Path own = Files.createDirectory(dir.resolve("own"));
    ClaimDirs claims = new ClaimDirs(Map.of("data", all, "team/data", own), dir.resolve("volumes"));
    try (Handle team = claims.open("team", "data");
        Handle other = claims.open("other", "data")) {
      assertThat(team.location()).isEqualTo(own.toRealPath());
      assertThat(other.location()).isEqualTo(all.toRealPath());
    }
    assertThat(claims.isOurs("team", "data")).isFalse();
    Files.delete(own);
    assertThatThrownBy(() -> claims.open("team", "data"))
        .isInstanceOf(VolumeFault.class)
        .hasMessage("claim \"data\": " + own + " is not a directory; create it");
  }

  /** Pods of the outer claim can put a link in its place. */
  @Test
  void aNamedDirectoryThatWasReplacedByALinkIsRefused() throws Exception {
    Path outer = Files.createDirectory(dir.toRealPath().resolve("outer"));
    Path inner = Files.createDirectory(outer.resolve("inner"));
    ClaimDirs claims = new ClaimDirs(Map.of("a", outer, "b", inner), dir.resolve("volumes"));
    claims.open("team", "b").close();
    Files.delete(inner);
    Files.createSymbolicLink(inner, Path.of("/etc"));
    assertThatThrownBy(() -> claims.open("team", "b"))
        .isInstanceOf(VolumeFault.class)
        .hasMessage("claim \"b\": a link in " + inner + " leads elsewhere");
  }

  @Test
  void aNamespaceHasManyClaimsButNotAnyNumber() throws Exception {
    Path team = Files.createDirectories(dir.resolve("volumes/team"));
    for (int i = 0; i < ClaimDirs.MOST; i++) {
      Files.createDirectory(team.resolve("c" + i));
    }
    ClaimDirs claims = new ClaimDirs(Map.of(), dir.resolve("volumes"));
    claims.open("team", "c7").close();
    claims.open("other", "one-more").close();
    assertThatThrownBy(() -> claims.open("team", "one-more"))
        .isInstanceOf(VolumeFault.class)
        .hasMessage(
            "claim \"one-more\": namespace team has 1000 claims already; delete some from " + team);
    assertThat(team.resolve("one-more")).doesNotExist();
  }

  @Test
  void aLinkInPlaceOfAClaimIsNotFollowed() throws IOException {
    Files.createDirectories(dir.resolve("volumes/team"));
    Files.createSymbolicLink(dir.resolve("volumes/team/data"), Path.of("/etc"));
    assertThatThrownBy(() -> new ClaimDirs(Map.of(), dir.resolve("volumes")).open("team", "data"))
        .isInstanceOf(NotDirectoryException.class);
  }

  @Test
  void aClaimNeedsANameThatIsNoPath() {
    for (String name : List.of("..", "../x", "a/b", "")) {
      String spec =
          "{\"volumes\": [{\"name\": \"v\", \"persistentVolumeClaim\": {\"claimName\": \"%s\"}}]}"
              .formatted(name);
      assertThat(VolumeRefusals.of(Json.parse(spec), "spec", List.of()))
          .as(name)
          .extracting(FieldError::path)
          .containsExactly("spec.volumes[0].persistentVolumeClaim.claimName");
    }
  }
}
