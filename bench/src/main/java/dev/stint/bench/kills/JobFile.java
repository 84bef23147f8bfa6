package dev.stint.bench.kills;

import dev.stint.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Jobs whose indexes print lines, and write into a file each that they begin, what they have
 * printed, and that they end.
 *
 * @param directory of the files of all indexes
 * @param completions the number of indexes of a Job
 * @param parallelism how many of them run at once
 * @param lines the number of lines that each prints
 * @param pause the time between two lines, in seconds
 * @param image of the containers, which then see the directory; {@link #NO_IMAGE} for processes
 * @param ignoresDisruptions true if its pod failure policy ignores pods that the machine takes down
 */
record JobFile(
    Path directory,
    int completions,
    int parallelism,
    int lines,
    String pause,
    String image,
    boolean ignoresDisruptions) {
  static final String NO_IMAGE = "none";

  private static final String POLICY =
      """
      {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}
      """;

  /** Returns a Job that fails if one of its pods counts as failed. */
  String manifest(String name) {
    String script =
        """
        read -r boot < /proc/sys/kernel/random/boot_id
        read -r id < /proc/sys/kernel/random/uuid; tag=${boot%%%%-*}.${id%%%%-*}; k=0
        own=%s/%s.$JOB_COMPLETION_INDEX; echo "$tag begin" >> $own
        while [ $k -lt %d ]; do k=$((k + 1)); echo "$tag $k"; echo "$tag $k" >> $own; sleep %s; done
        echo "$tag end" >> $own\
        """
            .formatted(directory, name, lines, pause);
    ObjectNode job =
        Json.parse(
            """
            {"apiVersion": "batch/v1", "kind": "Job", "metadata": {},
             "spec": {"completionMode": "Indexed", "backoffLimit": 0,
                  "template": {"spec": {
                        "restartPolicy": "Never",
                        "containers": [{"name": "main", "image": "none", "command": ["sh", "-c"]}]}}}}
            """);
    job.withObject("metadata").put("name", name);
    job.withObject("spec").put("completions", completions).put("parallelism", parallelism);
    if (ignoresDisruptions) {
      job.withObject("spec").set("podFailurePolicy", Json.parse(POLICY));
    }
    job.withArray("/spec/template/spec/containers/0/command").add(script);
    if (!image.equals(NO_IMAGE)) {
      mount(job.withObject("/spec/template/spec"));
    }
    return job.toString();
  }

  private void mount(ObjectNode pod) {
    ObjectNode container = pod.withObject("/containers/0");
    container.put("image", image).put("imagePullPolicy", "Never");
    container
        .withArray("volumeMounts")
        .addObject()
        .put("name", "work")
        .put("mountPath", directory.toString());
    ObjectNode volume = pod.withArray("volumes").addObject().put("name", "work");
    volume.withObject("hostPath").put("path", directory.toString());
  }

  /** Returns what the attempts of each index of a Job have written, in the order of their begin. */
  Map<Integer, List<RecordedAttempt>> attempts(String name) throws IOException {
    Map<Integer, List<RecordedAttempt>> attempts = new HashMap<>();
    for (int index = 0; index < completions; index++) {
      Path file = file(name, index);
      attempts.put(index, Files.exists(file) ? parse(Files.readAllLines(file)) : List.of());
    }
    return attempts;
  }

  /**
   * Returns which indexes of a Job had ended for long when a boot ended, with the number of their
   * attempts. One that ended in an earlier boot may have been cut off by the end of that, and not
   * be started again yet.
   *
   * @param boot the name of the boot that ended
   * @param latest the time by which they had ended
   */
  Map<Integer, Integer> finished(String name, String boot, Instant latest) throws IOException {
    Map<Integer, Integer> finished = new HashMap<>();
    for (Map.Entry<Integer, List<RecordedAttempt>> each : attempts(name).entrySet()) {
      List<RecordedAttempt> attempts = each.getValue();
      if (!attempts.isEmpty()
          && attempts.getLast().isEnded()
          && attempts.getLast().boot().equals(boot)
          && Files.getLastModifiedTime(file(name, each.getKey())).toInstant().isBefore(latest)) {
        finished.put(each.getKey(), attempts.size());
      }
    }
    return finished;
  }

  Path file(String name, int index) {
    return directory.resolve(name + "." + index);
  }

  static List<RecordedAttempt> parse(List<String> lines) throws IOException {
    Map<String, Integer> places = new HashMap<>();
    List<RecordedAttempt> attempts = new ArrayList<>();
    for (String line : lines) {
      String[] parts = line.split(" ");
      if (parts.length != 2) {
        throw new IOException("a line that is not whole: " + line);
      }
      if (parts[1].equals("begin")) {
        places.put(parts[0], attempts.size());
        attempts.add(RecordedAttempt.begun(parts[0]));
        continue;
      }
      Integer place = places.get(parts[0]);
      if (place == null) {
        throw new IOException("a line of an attempt that never began: " + line);
      }
      RecordedAttempt before = attempts.get(place);
      attempts.set(
          place,
          parts[1].equals("end") ? before.ended() : before.withPrinted(Integer.parseInt(parts[1])));
    }
    return attempts;
  }
}
