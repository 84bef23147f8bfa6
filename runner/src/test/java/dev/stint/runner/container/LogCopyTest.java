package dev.stint.runner.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import dev.stint.runner.container.daemon.ContainerLabels;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a daemon that is cut off after a number of bytes. */
class LogCopyTest {
  private static final int WHOLE = Integer.MAX_VALUE;
  private static final byte[] LOG = log();

  @TempDir Path dir;
  private final Deque<Integer> cuts = new ArrayDeque<>();
  private int requests;

  @Test
  void whatADaemonThatWentAwayDidNotSendComesWithTheNextCall() throws Exception {
    cuts.add(LOG.length / 2);
    LogCopy copy = copy(1 << 20);
    assertAway(copy);
    copy.finish();
    assertWhole();
  }

  /** The end of what was copied is searched in such a log first. */
  @Test
  void aLongLogIsCompletedTooWhicheverRequestIsCutOff() throws Exception {
    cuts.addAll(List.of(LOG.length / 2, 20, WHOLE, LOG.length - 3));
    LogCopy copy = copy(10);
    assertAway(copy);
    assertAway(copy);
    assertAway(copy);
    copy.finish();
    assertWhole();
  }

  @Test
  void aLogThatTheDaemonNeverSendsWholeEndsWhereItIsCutOff() throws Exception {
    LogCopy copy = copy(1 << 20);
    for (int i = 1; i < LogCopy.MOST_CUTS; i++) {
      cuts.add(20);
      assertAway(copy);
    }
    cuts.add(20);
    copy.finish();
    assertThat(requests).isEqualTo(LogCopy.MOST_CUTS);
    assertThat(files().path(LogStream.STDOUT)).hasContent("line 0 of ou");
  }

  @Test
  void aFileThatCannotBeWrittenIsNoReasonToAskAgain() throws Exception {
    Files.createSymbolicLink(files().path(LogStream.STDERR), Path.of("/dev/full"));
    copy(1 << 20).finish();
    assertThat(requests).isEqualTo(1);
  }

  private static void assertAway(LogCopy copy) {
    DaemonException away = catchThrowableOfType(DaemonException.class, copy::finish);
    assertThat(away.reason()).isEqualTo(DaemonException.Reason.AWAY);
  }

  private void assertWhole() {
    Map<LogStream, String> names = Map.of(LogStream.STDOUT, "out", LogStream.STDERR, "err");
    names.forEach((stream, name) -> {
      assertThat(files().path(stream)).hasContent(lines(name));
    });
  }

  private LogCopy copy(long wholeBytes) {
    ContainerLabels labels = new ContainerLabels("/data", "uid", "main", 0, 0, "boot", 0, 0);
    return new LogCopy((_, _) -> answer(), "id", files(), labels, wholeBytes);
  }

  private LogFiles files() {
    return new LogFiles(dir, "main", 0);
  }

  private static String lines(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      text.append("line ").append(i).append(" of ").append(name).append('\n');
    }
    return text.toString();
  }

  private static byte[] log() {
    ByteArrayOutputStream framed = new ByteArrayOutputStream();
    List<String> out = lines("out").lines().toList();
    List<String> err = lines("err").lines().toList();
    for (int i = 0; i < out.size(); i++) {
      frame(framed, 1, out.get(i) + "\n");
      frame(framed, 2, err.get(i) + "\n");
    }
    return framed.toByteArray();
  }

  private static void frame(ByteArrayOutputStream framed, int stream, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    framed.writeBytes(ByteBuffer.allocate(8).putInt(stream << 24).putInt(bytes.length).array());
    framed.writeBytes(bytes);
  }

  private Response answer() {
    requests++;
    Integer cut = cuts.isEmpty() ? WHOLE : cuts.remove();
    InputStream body = new ByteArrayInputStream(LOG, 0, Math.min(cut, LOG.length));
    InputStream whole = cut == WHOLE ? body : new SequenceInputStream(body, new Broken());
    return new GivenAnswer(whole);
  }

  private static final class Broken extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("the connection was closed");
    }
  }
}
