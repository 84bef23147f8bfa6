package dev.stint.model.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class MetadataRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | ",
        "{\"generateName\": \"gen-\"} | ",
        "{\"generateName\": \"Bad_\"} | metadata.generateName Invalid",
        "{\"name\": \"\"} | metadata.name Required",
        "{\"name\": \"x_y\"} | metadata.name Invalid",
        "{\"namespace\": \"\"} | metadata.namespace Required",
        "{\"namespace\": \"a.b\"} | metadata.namespace Invalid",
        "{\"labels\": {\"a\": \"b\"}} | ",
        "{\"labels\": {\"bad key\": \"v\"}} | metadata.labels Invalid",
        "{\"labels\": {\"a\": \"bad value!\"}} | metadata.labels Invalid",
        "{\"annotations\": {\"X.io/A\": \"any value!\"}} | ",
        "{\"annotations\": {\"bad key\": \"\"}} | metadata.annotations Invalid",
        "{\"finalizers\": [\"x.io/y\", \"orphan\"]} | ",
        "{\"finalizers\": [\"foo\"]} | metadata.finalizers[0] Invalid",
        "{\"finalizers\": [\"orphan\", \"foregroundDeletion\"]} | metadata.finalizers Invalid",
        "{\"finalizers\": [\"a/b\", \"a/b\"]} | ",
        "{\"finalizers\": [\"a/b/c\"]} | metadata.finalizers Invalid",
        "{\"generateName\": \"Gen-\"} | metadata.generateName Invalid",
        "{\"generateName\": \"-\"} | metadata.generateName Invalid",
        "{\"generateName\": \"a.\"} | metadata.generateName Invalid",
        "{\"generation\": -1} | metadata.generation Invalid",
        "{\"ownerReferences\": [{\"apiVersion\": \"v1\", \"kind\": \"K\", \"name\": \"n\"}]} |"
            + " metadata.ownerReferences.uid Invalid"
      })
  void newMetadata(String members, String fault) {
    ObjectNode metadata = Json.parse("{\"name\": \"pi\", \"namespace\": \"default\"}");
    metadata.setAll(Json.parse(members));
    FieldErrors faults = new FieldErrors();
    MetadataRules.create(at(metadata), Formats::dnsSubdomain, faults);
    assertThat(causes(faults)).isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  @Test
  void aMalformedFinalizerIsReportedAtBothPlaces() {
    ObjectNode metadata =
        Json.parse("{\"name\":\"pi\",\"namespace\":\"default\",\"finalizers\":[\"Bad Value!\"]}");
    FieldErrors faults = new FieldErrors();
    MetadataRules.create(at(metadata), Formats::dnsSubdomain, faults);
    assertThat(causes(faults))
        .containsExactly("metadata.finalizers Invalid", "metadata.finalizers[0] Invalid");
    FieldErrors any = new FieldErrors();
    MetadataRules.createWithAnyFinalizer(at(metadata), Formats::dnsSubdomain, any);
    assertThat(causes(any)).containsExactly("metadata.finalizers Invalid");
  }

  @ParameterizedTest
  @CsvSource({"a-, ''", "A, metadata.generateName Invalid", "a/, metadata.generateName Invalid"})
  void namesOfSomeKindsAreCheckedAgainByUpdates(String prefix, String fault) {
    ObjectNode before = Json.parse("{\"name\":\"pi\",\"resourceVersion\":\"1\"}");
    ObjectNode after = before.deepCopy().put("generateName", prefix);
    FieldErrors faults = new FieldErrors();
    MetadataRules.update(at(before), at(after), Formats::dnsSubdomain, faults);
    assertThat(String.join("", causes(faults).stream().distinct().toList())).isEqualTo(fault);
    FieldErrors plain = new FieldErrors();
    MetadataRules.update(at(before), at(after), plain);
    assertThat(plain.isEmpty()).isEqualTo(!prefix.contains("/"));
  }

  @Test
  void onlyOneOwnerMayBeTheController() {
    String owner =
        "{\"apiVersion\":\"v1\",\"kind\":\"K\",\"name\":\"n\",\"uid\":\"u\",\"controller\":true}";
    ObjectNode metadata =
        Json.parse(
            "{\"name\":\"pi\",\"namespace\":\"default\",\"ownerReferences\":[%s,%s]}"
                .formatted(owner, owner));
    FieldErrors faults = new FieldErrors();
    MetadataRules.create(at(metadata), Formats::dnsSubdomain, faults);
    assertThat(causes(faults)).containsExactly("metadata.ownerReferences Invalid");
  }

  @Test
  void annotationsHaveAQuarterOfAMebibyteAtMost() {
    ObjectNode metadata = Json.parse("{\"name\":\"pi\",\"namespace\":\"default\"}");
    metadata.putObject("annotations").put("a", "x".repeat((256 << 10) - 1));
    FieldErrors faults = new FieldErrors();
    MetadataRules.create(at(metadata), Formats::dnsSubdomain, faults);
    assertThat(causes(faults)).isEmpty();
    metadata.putObject("annotations").put("a", "x".repeat(256 << 10));
    MetadataRules.create(at(metadata), Formats::dnsSubdomain, faults);
    assertThat(causes(faults)).containsExactly("metadata.annotations TooLong");
  }

  @ParameterizedTest
  @CsvSource({
    "name, x, metadata.name Invalid",
    "uid, x, metadata.uid Invalid",
    "creationTimestamp, 2026-01-01T00:00:00Z, metadata.creationTimestamp Invalid",
    "deletionTimestamp, 2026-01-01T00:00:00Z, metadata.deletionTimestamp Invalid",
    "resourceVersion, '', metadata.resourceVersion Invalid"
  })
  void whatIdentifiesAnObjectIsFixed(String member, String value, String fault) {
    ObjectNode before = Json.parse("{\"name\":\"pi\",\"uid\":\"u\",\"resourceVersion\":\"1\"}");
    FieldErrors faults = new FieldErrors();
    MetadataRules.update(at(before), at(before.deepCopy().put(member, value)), faults);
    assertThat(causes(faults)).containsExactly(fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"matchLabels\": {\"a\": \"b\"}} | true",
        "{\"matchLabels\": {\"a\": \"c\"}} | false",
        "{} | true",
        "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": \"In\", \"values\": [\"b\"]}]} |"
            + " true",
        "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": \"NotIn\", \"values\": [\"b\"]}]}"
            + " | false",
        "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": \"Exists\"}]} | true",
        "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": \"DoesNotExist\"}]} | false"
      })
  void selectorsMatchLabels(String selector, boolean matches) {
    FieldPath at = FieldPath.root(Json.parse(selector));
    assertThat(LabelSelectorRules.isSound(at)).isTrue();
    assertThat(LabelSelectorRules.matches(at, Map.of("a", "b"))).isEqualTo(matches);
  }

  private static FieldPath at(ObjectNode metadata) {
    ObjectNode object = Json.object();
    object.set("metadata", metadata);
    return FieldPath.root(object).get("metadata");
  }

  private static List<String> causes(FieldErrors faults) {
    return faults.list().stream()
        .map(fault -> fault.path() + " " + fault.type().cause().replace("FieldValue", ""))
        .distinct()
        .toList();
  }
}
