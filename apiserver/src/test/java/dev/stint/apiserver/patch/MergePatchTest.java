package dev.stint.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class MergePatchTest {
  /** The examples of RFC 7386, appendix A, whose target and patch are objects. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'a':'b'} | {'a':'c'} | {'a':'c'}",
        "{'a':'b'} | {'b':'c'} | {'a':'b','b':'c'}",
        "{'a':'b'} | {'a':null} | {}",
        "{'a':'b','b':'c'} | {'a':null} | {'b':'c'}",
        "{'a':['b']} | {'a':'c'} | {'a':'c'}",
        "{'a':'c'} | {'a':['b']} | {'a':['b']}",
        "{'a':{'b':'c'}} | {'a':{'b':'d','c':null}} | {'a':{'b':'d'}}",
        "{'a':[{'b':'c'}]} | {'a':[1]} | {'a':[1]}",
        "{'e':null} | {'a':1} | {'e':null,'a':1}",
        "{} | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}",
        "{'a':[1,2]} | {'a':{'b':{'c':null,'d':1}}} | {'a':{'b':{'d':1}}}",
        // Beyond the standard, as Kubernetes does it.
        "{} | {'a':[{'b':null,'c':[{'d':null}]},null]} | {'a':[{'c':[{}]},null]}",
      })
  void mergesAsTheStandardSays(String target, String patch, String result) {
    assertThat(MergePatch.apply(Sample.tree(target), Sample.tree(patch)))
        .isEqualTo(Sample.tree(result));
  }

  @Test
  void changesNeitherAndSharesWhatIsNotTouched() {
    ObjectNode target = Sample.tree("{'spec': {'a': [1]}, 'status': {'b': 1}}");
    ObjectNode copy = target.deepCopy();
    ObjectNode merged = MergePatch.apply(target, Sample.tree("{'status': {'b': 2}}"));
    assertThat(target).isEqualTo(copy);
    assertThat(merged.get("spec")).isSameAs(target.get("spec"));
  }
}
