package dev.stint.runner.process.user;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UserDatabaseTest {
  @Test
  void linesThatDescribeNoUserAreLeftOut() {
    List<String> lines =
        List.of(
            "root:x:0:0:root:/root:/bin/bash",
            "+::::::",
            "+nis::::::",
            "-@admins::::::",
            "+forced:x:7::::",
            "huge:x:99999999999:0::/:/bin/sh",
            "# a comment",
            "",
            "nobody:x:4294967294:65534:::/bin/false");
    assertThat(UserDatabase.users(lines))
        .extracting(fields -> fields[0])
        .containsExactly("root", "nobody");
  }

  @Test
  void theUsersOfThisMachineAreFoundByNameAndNumber() {
    assertThat(UserDatabase.named("root")).contains(new PodUser(0, 0));
    assertThat(UserDatabase.between(0, 0)).contains("root");
    assertThat(UserDatabase.home(0)).isNotEmpty();
    assertThat(UserDatabase.named("no such user")).isEmpty();
  }
}
