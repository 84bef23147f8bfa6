package dev.stint.model.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Config maps, secrets and events. */
class DataRulesTest {
  private static FieldPath root(String json) {
    return FieldPath.root(Json.parse(json.replace('\'', '"')));
  }

  private static List<String> paths(BiConsumer<FieldPath, FieldErrors> rule, String json) {
    FieldErrors faults = new FieldErrors();
    rule.accept(root(json), faults);
    return faults.list().stream().map(FieldError::path).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'data': {'a.b-c_D': 'x', '.a': 'y'}}                  | ''",
        "{'data': {'a b': 'x'}}                                  | data[a b]",
        "{'data': {'..': 'x'}}                                   | data[..]",
        "{'data': {'k': 'x'}, 'binaryData': {'k': 'eA=='}}       | data[k]",
      })
  void aConfigMapHasSoundKeysOnce(String json, String path) {
    List<String> expected = path.isEmpty() ? List.of() : List.of(path);
    assertThat(paths(ConfigMapRules::check, json)).isEqualTo(expected);
  }

  @Test
  void aConfigMapHoldsAMebibyte() {
    String most = "x".repeat(1 << 20);
    assertThat(paths(ConfigMapRules::check, "{'data': {'k': '" + most + "'}}")).isEmpty();
    assertThat(paths(ConfigMapRules::check, "{'data': {'k': '" + most + "x'}}"))
        .containsExactly("[]");
  }

  @Test
  void immutableDataCannotBeChanged() {
    FieldErrors faults = new FieldErrors();
    FieldPath before = root("{'immutable': true, 'data': {'k': 'v'}}");
    ConfigMapRules.update(before, root("{'immutable': true, 'data': {'k': 'v'}}"), faults);
    assertThat(faults.list()).isEmpty();
    ConfigMapRules.update(before, root("{'data': {'k': 'w'}}"), faults);
    assertThat(faults.list()).extracting(FieldError::path).containsExactly("immutable", "data");
  }

  @Test
  void settingAnEmptyFieldChangesImmutableData() {
    FieldErrors faults = new FieldErrors();
    FieldPath before = root("{'immutable': true}");
    ConfigMapRules.update(
        before, root("{'immutable': true, 'data': {}, 'binaryData': {}}"), faults);
    SecretRules.update(before, root("{'immutable': true, 'data': {}}"), faults);
    assertThat(faults.list())
        .extracting(FieldError::path)
        .containsExactly("data", "binaryData", "data");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type': 'Opaque'}                                                       | ''",
        "{'type': 'kubernetes.io/tls', 'data': {'tls.crt': ''}}                    | data[tls.key]",
        "{'type': 'kubernetes.io/ssh-auth'}                                        | data[ssh-privatekey]",
        "{'type': 'kubernetes.io/basic-auth'}                                      | data[username],data[password]",
        "{'type': 'kubernetes.io/basic-auth', 'data': {'password': 'eA=='}}        | ''",
        "{'type': 'kubernetes.io/dockerconfigjson', 'data': {'.dockerconfigjson': 'eA=='}} | data[.dockerconfigjson]",
        "{'type': 'kubernetes.io/dockerconfigjson', 'data': {'.dockerconfigjson': 'e30='}} | ''",
        "{'type': 'kubernetes.io/service-account-token', 'metadata': {}}           | metadata.annotations[kubernetes.io/service-account.name]",
      })
  void aSecretHasWhatItsTypeAsksFor(String json, String path) {
    List<String> expected = path.isEmpty() ? List.of() : List.of(path.split(","));
    assertThat(paths(SecretRules::check, json)).isEqualTo(expected);
  }

  @Test
  void theTypeOfASecretStays() {
    FieldErrors faults = new FieldErrors();
    SecretRules.update(root("{'type': 'Opaque'}"), root("{'type': 'other'}"), faults);
    assertThat(faults.list())
        .extracting(FieldError::toString)
        .containsExactly("type: field is immutable");
  }
}
