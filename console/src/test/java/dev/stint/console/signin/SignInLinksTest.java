package dev.stint.console.signin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignInLinksTest {
  @TempDir private Path data;
  private Instant now = Instant.EPOCH;
  private SignInLinks links;

  @BeforeEach
  void open() {
    links = new SignInLinks(data, () -> now);
  }

  private String ticket() throws IOException {
    return links.make().replaceFirst("/console/#sign-in=", "");
  }

  @Test
  void aLinkIsValidOnceAndForTenMinutes() throws IOException {
    String used = ticket();
    String late = ticket();
    now = now.plus(SignInLinks.LIFE);
    assertThat(links.test(used)).isTrue();
    assertThat(links.test(used)).isFalse();
    now = now.plusMillis(1);
    assertThat(links.test(late)).isFalse();
    assertThat(links.test("")).isFalse();
    assertThat(links.test("../../etc/passwd")).isFalse();
  }

  @Test
  void expiredLinksAreRemovedAndNoFileHoldsATicket() throws IOException {
    ticket();
    now = now.plus(SignInLinks.LIFE).plusMillis(1);
    String ticket = ticket();
    Path directory = data.resolve("sign-in");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files)
          .singleElement()
          .satisfies(file -> {
            assertThat(file.getFileName().toString()).doesNotContain(ticket);
            assertThat(Files.readString(file)).doesNotContain(ticket);
          });
    }
  }

  @Test
  void aMadeLinkSignsInAndLeavesThePrintedOneAlone() throws IOException {
    List<String> printed = new ArrayList<>();
    SignIn signIn = new SignIn(() -> now, new Random(7), printed::add, links);
    signIn.announceTicket();
    String made = ticket();
    assertThat(signIn.redeem(made))
        .hasValueSatisfying(session -> assertThat(signIn.isSignedIn(session)).isTrue());
    assertThat(signIn.redeem(made)).isEmpty();
    assertThat(printed).hasSize(1);
    assertThat(signIn.redeem(printed.getLast())).isPresent();
  }

  @Test
  void aPrintedLinkExpiresAndItsUseThenPrintsTheNext() {
    List<String> printed = new ArrayList<>();
    SignIn signIn = new SignIn(() -> now, new Random(7), printed::add);
    signIn.announceTicket();
    now = now.plus(SignInLinks.LIFE).plusMillis(1);
    assertThat(signIn.redeem(printed.getFirst())).isEmpty();
    assertThat(printed).hasSize(2);
    assertThat(signIn.redeem(printed.getLast())).isPresent();
  }
}
