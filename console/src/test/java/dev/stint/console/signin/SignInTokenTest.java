package dev.stint.console.signin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignInTokenTest {
  private static final String TOKEN = "0123456789abcdef".repeat(2);

  @TempDir private Path directory;
  private Path file;
  private SignInToken token;

  @BeforeEach
  void open() {
    file = directory.resolve("token");
    token = new SignInToken(file);
  }

  @Test
  void theTokenSignsInAsOftenAsItIsUsedUntilTheFileChanges() throws IOException {
    Files.writeString(file, TOKEN + "\n");
    assertThat(token.obstacle()).isNull();
    assertThat(token.test(TOKEN)).isTrue();
    assertThat(token.test(TOKEN)).isTrue();
    assertThat(token.test(TOKEN + "0")).isFalse();
    Files.writeString(file, TOKEN.replace('0', '1'));
    assertThat(token.test(TOKEN)).isFalse();
    Files.delete(file);
    assertThat(token.test(TOKEN)).isFalse();
    assertThat(token.test("")).isFalse();
    assertThat(token.obstacle()).isEqualTo("does not exist");
  }

  @Test
  void aTokenThatCouldBeGuessedSignsNobodyIn() throws IOException {
    String guessed = TOKEN.substring(1);
    Files.writeString(file, guessed);
    assertThat(token.test(guessed)).isFalse();
    assertThat(token.obstacle()).isEqualTo("holds a token of less than 32 characters");
    Files.writeString(file, "");
    assertThat(token.test("")).isFalse();
  }

  @Test
  void aFileThatCannotBeReadSignsNobodyIn() throws IOException {
    Files.createDirectory(file);
    assertThat(token.test(TOKEN)).isFalse();
    assertThat(token.obstacle()).isEqualTo("cannot be read");
  }

  @Test
  void itLeavesThePrintedLinkAlone() throws IOException {
    Files.writeString(file, TOKEN);
    StringBuilder printed = new StringBuilder();
    SignIn signIn = new SignIn(() -> Instant.EPOCH, new Random(7), printed::append, token);
    signIn.announceTicket();
    assertThat(signIn.redeem(TOKEN)).isPresent();
    assertThat(signIn.redeem(TOKEN)).isPresent();
    assertThat(signIn.redeem(printed.toString())).isPresent();
  }
}
