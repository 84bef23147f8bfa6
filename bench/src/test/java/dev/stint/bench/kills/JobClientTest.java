package dev.stint.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.bench.robustness.UpApi;
import dev.stint.model.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobClientTest {
  @TempDir private Path work;

  @Test
  void aFaultInTheFileOfAnIndexIsNoLostConnection() throws Exception {
    JobFile file = UpRound.file(work, JobFile.NO_IMAGE);
    JobClient client = new JobClient(new UpApi(work, 1), file, new SplittableRandom(1));
    Files.writeString(file.file("job-0", 0), "a.1 end\n");
    client.see(Json.parse("{\"items\": [{\"metadata\": {\"name\": \"job-0\"}}]}").path("items"));
    assertThat(client.violations())
        .containsExactly(
            "the files of the indexes: a line of an attempt that never began: a.1 end");
  }
}
