package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Warnings for those who label a namespace. */
class NamespaceWarningsTest {
  private static final KubeObject UNLABELLED = namespace("'x':'y'");
  private static final KubeObject BASELINE =
      namespace("'pod-security.kubernetes.io/enforce':'baseline'");
  private static final KubeObject RESTRICTED =
      namespace("'pod-security.kubernetes.io/enforce':'restricted'");
  private static final List<KubeObject> PODS =
      List.of(
          pod("c", "'hostPID':true"),
          pod("a", "'hostPID':true"),
          pod("b", "'hostPID':true"),
          pod("e", "'hostIPC':true,'volumes':[{'name':'v','hostPath':{}}]"),
          pod("d", "'hostPID':true,'runtimeClassName':'vm'"),
          pod("f", "'hostPID':false"));

  @Test
  void podsThatViolateANewLevelAreNamed() {
    assertThat(warnings(UNLABELLED, BASELINE))
        .containsExactly(
            "existing pods in namespace \"ns\" violate the new PodSecurity enforce level"
                + " \"baseline:latest\"",
            "a (and 3 other pods): host namespaces",
            "e: host namespaces, hostPath volumes");
  }

  @Test
  void aLevelThatIsNoStricterNeedsNoWarning() {
    assertThat(warnings(RESTRICTED, BASELINE)).isEmpty();
    assertThat(warnings(BASELINE, BASELINE)).isEmpty();
    assertThat(warnings(BASELINE, UNLABELLED)).isEmpty();
    assertThat(warnings(null, RESTRICTED)).isEmpty();
  }

  @Test
  void podsOfExemptRuntimeClassesAreLeftOut() {
    PodSecuritySettings settings =
        new PodSecuritySettings(NamespacePolicy.PRIVILEGED, Set.of(), Set.of("vm"), Set.of());
    assertThat(NamespaceWarnings.of(UNLABELLED, BASELINE, () -> PODS.subList(3, 5), settings))
        .last()
        .isEqualTo("e: host namespaces, hostPath volumes");
  }

  @Test
  void onlySoManyPodsAreChecked() {
    List<KubeObject> many = Collections.nCopies(3001, PODS.getFirst());
    assertThat(
            NamespaceWarnings.of(UNLABELLED, BASELINE, () -> many, PodSecuritySettings.LABELS_ONLY))
        .first()
        .isEqualTo(
            "new PodSecurity enforce level only checked against the first 3000 of 3001 existing"
                + " pods");
  }

  /** All pods of a namespace may not fit into memory. */
  @Test
  void noOtherPodIsRead() {
    List<Integer> read = new ArrayList<>();
    List<KubeObject> many =
        new AbstractList<>() {
          @Override
          public KubeObject get(int index) {
            read.add(index);
            return PODS.getFirst();
          }

          @Override
          public int size() {
            return 100_000;
          }
        };
    assertThat(
            NamespaceWarnings.of(UNLABELLED, BASELINE, () -> many, PodSecuritySettings.LABELS_ONLY))
        .hasSize(3);
    assertThat(read).hasSize(3000).doesNotHaveDuplicates().last().isEqualTo(2999);
  }

  @Test
  void theLabelsOfAnExemptNamespaceAreSaidToBeIgnored() {
    PodSecuritySettings settings =
        new PodSecuritySettings(NamespacePolicy.PRIVILEGED, Set.of(), Set.of(), Set.of("ns"));
    List<String> expected =
        List.of(
            "namespace \"ns\" is exempt from Pod Security, and the policy"
                + " (enforce=baseline:latest) will be ignored");
    assertThat(NamespaceWarnings.of(null, BASELINE, List::of, settings)).isEqualTo(expected);
    assertThat(NamespaceWarnings.of(UNLABELLED, BASELINE, List::of, settings)).isEqualTo(expected);
    assertThat(NamespaceWarnings.of(BASELINE, BASELINE, List::of, settings)).isEmpty();
    assertThat(NamespaceWarnings.of(BASELINE, UNLABELLED, List::of, settings)).isEmpty();
  }

  private static List<String> warnings(@Nullable KubeObject before, KubeObject after) {
    return NamespaceWarnings.of(before, after, () -> PODS, PodSecuritySettings.LABELS_ONLY);
  }

  private static KubeObject namespace(String labels) {
    return object("'name':'ns','labels':{" + labels + "}", "");
  }

  private static KubeObject pod(String name, String spec) {
    return object("'name':'" + name + "'", spec);
  }

  private static KubeObject object(String metadata, String spec) {
    return KubeObject.of(
        Json.parse("{'metadata':{%s},'spec':{%s}}".formatted(metadata, spec).replace('\'', '"')));
  }
}
