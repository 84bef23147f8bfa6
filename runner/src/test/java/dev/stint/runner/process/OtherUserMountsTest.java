package dev.stint.runner.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.KubeObject;
import dev.stint.runner.file.FileTrees;
import dev.stint.runner.runtime.Exit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Mounts of pods that run as another user: they must not direct what root does. */
class OtherUserMountsTest extends IsolationFixture {
  OtherUserMountsTest(@TempDir Path dir) throws IOException {
    super(dir);
  }

  @Test
  void aProgramSeesTheContainersVariablesOnlyAsTheContainersUser() throws Exception {
    assumeRoot();
    Path open = Files.createTempDirectory("stint-test");
    Files.setAttribute(open, "unix:mode", 0777);
    Path pipe = pipe();
    ObjectNode pod = pod("echo \"$LD_DEBUG\"; exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go");
    // The dynamic linker of each program that has these variables writes a file.
    env(pod, "LD_DEBUG", "statistics");
    env(pod, "LD_DEBUG_OUTPUT", open + "/ld");
    env(pod, "PIPE", pipe.toString());
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    for (Path each : List.of(dir, pipe, Path.of(pipe + ".go"))) {
      Files.setAttribute(each, "unix:mode", 0777);
    }
    security(pod, "{\"runAsUser\": 65534}");
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      List<String> argv = List.of("sh", "-c", "echo \"$LD_DEBUG $HOME\"; id -u");
      try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, false)) {
        assertThat(process.stdout().readAllBytes()).asString().startsWith("statistics /none");
      }
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("statistics\n");
    try (Stream<Path> written = Files.list(open)) {
      assertThat(written)
          .isNotEmpty()
          .allSatisfy(file -> assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(65534));
    }
    FileTrees.delete(open);
  }

  /** Root's programs have another locale, see {@link PodUserTest}. */
  @Test
  void aPodOfAnotherUserHasOnlyTheLocaleThatItDeclares() throws Exception {
    assumeRoot();
    ObjectNode pod = pod("echo ${LC_ALL-none}");
    container(pod).put("workingDir", "/");
    security(pod, "{\"runAsUser\": 65534}");
    ObjectNode declaring = pod.deepCopy();
    env(declaring, "LC_ALL", "POSIX");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("none\n");
    runtime.forget("uid-a").get();
    assertThat(run(declaring).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("none\nPOSIX\n");
  }

  @Test
  void aPodOfAnotherUserMountsNothingOverWhatRootTrusts() throws Exception {
    assumeRoot();
    String planted = "{\"configMap\": {\"name\": \"settings\", \"defaultMode\": 493}}";
    for (String path :
        List.of(
            "/usr/bin",
            "/usr",
            "/lib/stint-test",
            "/etc",
            "/usr/share/locale",
            "/var/lib/sss/pipes",
            "/var/lib",
            "/run/nslcd")) {
      ObjectNode pod = pod("true");
      volume(pod, "a", planted, path, "");
      security(pod, "{\"runAsUser\": 65534}");
      assertThat(startError(pod)).as(path).contains("mountPath");
      runtime.forget("uid-a").get();
    }
    for (String path : List.of("/etc/ld.so.preload", "/etc/passwd", "/usr/bin/mount")) {
      ObjectNode pod = pod("true");
      volume(pod, "a", planted, path, "\"subPath\": \"color\"");
      security(pod, "{\"runAsUser\": 65534}");
      assertThat(startError(pod)).contains("mountPath \"" + path + "\": a pod of another user");
      runtime.forget("uid-a").get();
    }
  }

  /** Otherwise a volume within a volume could hold the programs that root runs next. */
  @Test
  void aLinkInAVolumeDirectsNoMountOfAPodOfAnotherUserElsewhere() throws Exception {
    assumeRoot();
    Path outer = Files.createDirectories(volumeDir("a"));
    Files.createSymbolicLink(outer.resolve("link"), Path.of("/usr"));
    plantPrograms(Files.createDirectories(volumeDir("b")));
    ObjectNode pod = pod("true");
    volume(pod, "a", "{\"emptyDir\": {}}", "/mnt", "");
    volume(pod, "b", "{\"emptyDir\": {}}", "/mnt/link/bin", "");
    security(pod, "{\"runAsUser\": 65534}");
    Exit exit = run(pod);
    assertThat(exit.code()).isNotEqualTo(42);
    assertThat(exit.message())
        .startsWith("cannot mount at ")
        .endsWith("/mnt/link/bin: a link leads elsewhere");
  }

  /** Otherwise such a link would hide that there is something to check. */
  @Test
  void aLinkToTheAttemptsOwnDirectoryHidesNoPlan() throws Exception {
    assumeRoot();
    Path outer = Files.createDirectories(volumeDir("a"));
    Files.createSymbolicLink(outer.resolve("link"), dir.resolve("pods/uid-a/main/0"));
    Files.createSymbolicLink(outer.resolve("link2"), Path.of("/usr"));
    plantPrograms(Files.createDirectories(volumeDir("c")));
    ObjectNode pod = pod("true");
    volume(pod, "a", "{\"emptyDir\": {}}", "/mnt", "");
    volume(pod, "b", "{\"emptyDir\": {}}", "/mnt/link", "");
    volume(pod, "c", "{\"emptyDir\": {}}", "/mnt/link2/bin", "");
    security(pod, "{\"runAsUser\": 65534}");
    Exit exit = run(pod);
    assertThat(exit.code()).isNotEqualTo(42);
    assertThat(exit.message())
        .startsWith("cannot mount at ")
        .endsWith("/mnt/link: a link leads elsewhere");
  }

  @Test
  void volumesOfAPodOfAnotherUserAreNested() throws Exception {
    assumeRoot();
    ObjectNode pod = pod("cat '/stint test/a\\b/color' /stint-test/color /stint-test/keys/token");
    volume(pod, "a", "{\"emptyDir\": {}}", "/stint test", "");
    volume(pod, "b", "{\"configMap\": {\"name\": \"settings\"}}", "/stint test/a\\b", "");
    volume(pod, "c", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    volume(pod, "d", "{\"secret\": {\"secretName\": \"keys\"}}", "/stint-test/keys", "");
    security(pod, "{\"runAsUser\": 65534}");
    container(pod).put("workingDir", "/");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("bluebluesecret");
  }

  @Test
  void aPodOfAnotherUserMountsFilesOverOtherSettings() throws Exception {
    assumeRoot();
    ObjectNode pod = pod("cat /etc/hosts /etc/stint-test.conf");
    String source = "{\"configMap\": {\"name\": \"settings\"}}";
    volume(pod, "a", source, "/etc/hosts", "\"subPath\": \"color\"");
    volume(pod, "b", source, "/etc/stint-test.conf", "\"subPath\": \"color\"");
    security(pod, "{\"runAsUser\": 65534}");
    container(pod).put("workingDir", "/");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("blueblue");
  }

  @Test
  void aWorkingDirectoryIsEnteredAsTheContainersUser() throws Exception {
    assumeRoot();
    Path home = Files.createTempDirectory("stint-test");
    Path project = Files.createDirectory(home.resolve("project"));
    Files.writeString(project.resolve("secret"), "secret");
    Files.setAttribute(project, "unix:mode", 0755);
    ObjectNode pod = pod("cat secret");
    container(pod).put("workingDir", project.toString());
    security(pod, "{\"runAsUser\": 65534}");
    assertThat(startError(pod)).contains("is not a directory that can be entered");
    assertThat(log("stdout")).isEmpty();
    FileTrees.delete(home);
  }

  @Test
  void rootDoesNotEnterANamespaceThatAPodHasBuilt() throws Exception {
    assumeRoot();
    Path pipe = pipe();
    for (Path each : List.of(dir, pipe, Path.of(pipe + ".go"))) {
      Files.setAttribute(each, "unix:mode", 0777);
    }
    String built = "exec 3>" + pipe + "; echo ready >&3; read _ <" + pipe + ".go";
    ObjectNode pod = pod("exec unshare -Urm sh -c '" + built + "'");
    container(pod).put("workingDir", "/");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/mnt", "");
    security(pod, "{\"runAsUser\": 65534}");
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      assertThatThrownBy(
              () -> runtime.exec(KubeObject.of(pod), container(pod), List.of("true"), false))
          .hasMessageStartingWith("container main has a user namespace of its own");
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).as(log("stderr")).isZero();
  }

  /** Otherwise it could keep its log from being cut. */
  @Test
  void aPodOfAnotherUserCannotLeaseItsLog() throws Exception {
    assumeRoot();
    ObjectNode pod =
        pod("perl -e 'print fcntl(STDOUT, 1024, 1) ? \"leased\" : $!'; echo e >/dev/stderr");
    container(pod).put("workingDir", "/");
    security(pod, "{\"runAsUser\": 65534}");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("Permission denied");
    assertThat(log("stderr")).isEqualTo("e\n");
  }

  @Test
  void noCommandLineHasAVariableWhoseNameNoShellKnows() throws Exception {
    assumeRoot();
    Path pipe = pipe();
    for (Path each : List.of(dir, pipe, Path.of(pipe + ".go"))) {
      Files.setAttribute(each, "unix:mode", 0777);
    }
    String print = "tr '\\0' '\\n' </proc/$$$$/environ | grep '^db.password='; ";
    ObjectNode pod = pod(print + "exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go");
    env(pod, "db.password", "it's #1");
    env(pod, "PIPE", pipe.toString());
    container(pod).put("workingDir", "/");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    security(pod, "{\"runAsUser\": 65534}");
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      List<String> argv = List.of("sh", "-c", print.replace("$$$$", "$$") + "read _");
      for (boolean tty : List.of(false, true)) {
        try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, tty)) {
          BufferedReader out = new BufferedReader(new InputStreamReader(process.stdout(), UTF_8));
          assertThat(out.lines().filter(line -> line.startsWith("db.")).findFirst())
              .contains("db.password=it's #1");
          assertThat(commandLines()).noneMatch(line -> line.contains("s #1"));
        }
      }
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("db.password=it's #1\n");
  }

  @Test
  void aContainerHasNoDescriptorOfStint() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("ls /proc/self/fd | wc -l");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    assertThat(run(pod).code()).isZero();
    assertThat(log("stdout")).as("three, and that of ls").isEqualTo("4\n");
  }

  /** Plants working programs; the last one that root runs ends with 42. */
  private static void plantPrograms(Path planted) throws IOException {
    for (String program : List.of("sh", "mount", "stat")) {
      Files.copy(
          Path.of("/usr/bin", program).toRealPath(), planted.resolve(program), COPY_ATTRIBUTES);
    }
    Path setpriv = Files.writeString(planted.resolve("setpriv"), "#!/bin/sh\nexit 42\n");
    Files.setAttribute(setpriv, "unix:mode", 0755);
  }
}
