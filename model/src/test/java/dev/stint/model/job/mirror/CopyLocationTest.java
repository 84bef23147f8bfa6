package dev.stint.model.job.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.mirror.CopyLocation.NoCopy;
import dev.stint.model.job.mirror.CopyLocation.NotMirrored;
import dev.stint.model.job.mirror.CopyLocation.Recorded;
import dev.stint.model.job.mirror.CopyLocation.Unclaimed;
import org.junit.jupiter.api.Test;

class CopyLocationTest {
  private static CopyLocation of(String metadata, String spec, String status) {
    return CopyLocation.of(
        KubeObject.of(
            Json.parse(
                "{'apiVersion':'batch/v1','kind':'Job','metadata':{%s},'spec':{%s},'status':{%s}}"
                    .formatted(metadata, spec, status)
                    .replace('\'', '"'))));
  }

  @Test
  void theRecordOfACopyIsWhereItIs() {
    assertThat(
            of("'annotations':{'stint.dev/mirror-copy':'c','stint.dev/mirror-worker':'k'}", "", ""))
        .isEqualTo(new Recorded("", "k", "c"));
    assertThat(
            of(
                "'annotations':{'stint.dev/mirror-copy':'c','stint.dev/mirror-assigned':'east'}",
                "",
                ""))
        .isEqualTo(new Recorded("east", "", "c"));
  }

  @Test
  void aJobWithoutACopySaysWhy() {
    assertThat(of("'annotations':{'stint.dev/mirror-assigned':'east'}", "", ""))
        .isEqualTo(new NoCopy("the mirror creates it on east"));
    assertThat(of("'finalizers':['stint.dev/mirror']", "", ""))
        .isEqualTo(new NoCopy("the mirror creates it"));
    String noWorker =
        "'conditions':[{'type':'stint.dev/Mirrored','status':'False','reason':'NoWorker','message':'m'}]";
    assertThat(of("", "'managedBy':'stint.dev/mirror'", noWorker))
        .isEqualTo(new NoCopy("NoWorker: m"));
  }

  @Test
  void whatSomebodyElseWroteDoesNotReachACommandLine() {
    assertThat(
            of(
                "'annotations':{'stint.dev/mirror-copy':'c','stint.dev/mirror-assigned':'x$(id)'}",
                "",
                ""))
        .isEqualTo(new Recorded("", "", "c"));
    String forged =
        "'conditions':[{'type':'stint.dev/Mirrored','status':'False','reason':'No','message':'a\\nb'}]";
    assertThat(of("", "", forged)).isEqualTo(new NoCopy("No: a b"));
  }

  @Test
  void aJobOfAnotherControllerIsNotMirroredOnceItHasStarted() {
    assertThat(of("", "", "")).isEqualTo(new NotMirrored());
    assertThat(of("", "'managedBy':'a.b/c'", "")).isEqualTo(new Unclaimed("a.b/c"));
    assertThat(of("", "'managedBy':'a.b/c'", "'startTime':'2026-01-01T00:00:00Z'"))
        .isEqualTo(new NotMirrored());
  }
}
