package dev.stint.apiextensions.rule;

import static dev.stint.apiextensions.rule.RuleFixtures.fault;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions that rules have in Kubernetes: the examples of its documentation. */
class RuleLibraryTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "isURL('https://user:pass@example.com:80/path?query=val#fragment') && isURL('/absolute-path')",
        "!isURL('https://a:b:c/') && !isURL('../relative-path') && !isURL('')",
        "url('/path').getScheme() == '' && url('https://example.com/').getScheme() == 'https'",
        "url('https://example.com:80/').getHost() == 'example.com:80'",
        "url('https://[::1]:80/').getHost() == '[::1]:80' && url('https://[::1]/').getHost() == '[::1]'",
        "url('https://example.com:80/').getHostname() == 'example.com'",
        "url('https://[::1]:80/').getHostname() == '::1' && url('/path').getHostname() == ''",
        "url('https://example.com:80/').getPort() == '80' && url('https://example.com/').getPort() == ''",
        "url('https://example.com/path with spaces/').getEscapedPath() == '/path%20with%20spaces/'",
        "url('https://example.com').getEscapedPath() == ''",
        "url('/path#a#b').getEscapedPath() == '/path' && url('/a#b\\u2028c').getEscapedPath() == '/a'",
        "url('https://a.b/path?k1=a&k2=b&k2=c').getQuery() == {'k1': ['a'], 'k2': ['b', 'c']}",
        "url('https://a.b/p?key with spaces=value with spaces').getQuery() == {'key with spaces': ['value with spaces']}",
        "url('https://example.com/path?').getQuery() == {}",
      })
  void urls(String rule) {
    assertThat(fault(rule)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "isQuantity('1.3G') && isQuantity('1.3Gi') && isQuantity('10000k')",
        "!isQuantity('1,3G') && !isQuantity('200K') && !isQuantity('Three') && !isQuantity('Mi')",
        "quantity('50000000G').isInteger() && quantity('50k').asInteger() == 50000",
        "!quantity('9999999999999999999999999999999999999G').isInteger()",
        "quantity('50k').sub(20000).asApproximateFloat() == 30000.0",
        "quantity('50k').add(quantity('20k')) == quantity('70k') && sign(quantity('-1')) == -1",
        "quantity('50k').add(20).sub(quantity('100k')).sub(-50000) == quantity('20')",
        "quantity('200M').compareTo(quantity('0.2G')) == 0",
        "quantity('50M').compareTo(quantity('50Mi')) == -1",
        "quantity('150Mi').isGreaterThan(quantity('100Mi')) && quantity('50M').isLessThan(quantity('100M'))",
      })
  void quantities(String rule) {
    assertThat(fault(rule)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "isIP('127.0.0.1') && isIP('::1') && !isIP('127.0.0.256') && !isIP(':::1')",
        "!isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0') && !isIP('010.0.0.1')",
        "ip.isCanonical('127.0.0.1') && ip.isCanonical('2001:db8::abcd')",
        "!ip.isCanonical('2001:DB8::ABCD') && !ip.isCanonical('2001:db8::0:0:0:abcd')",
        "ip('127.0.0.1').family() == 4 && ip('::1').family() == 6",
        "ip('0.0.0.0').isUnspecified() && !ip('::1').isUnspecified() && ip('::1').isLoopback()",
        "ip('224.0.0.1').isLinkLocalMulticast() && ip('169.254.169.254').isLinkLocalUnicast()",
        "ip('192.168.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()",
        "string(ip('2001:DB8::1')) == '2001:db8::1' && ip('::1') == ip('0:0:0:0:0:0:0:1')",
        "isCIDR('192.168.0.0/16') && isCIDR('::1/128') && !isCIDR('192.168.0.0/33') && !isCIDR('::1/129')",
        "cidr('192.168.0.0/24').containsIP(ip('192.168.0.1')) && !cidr('192.168.0.0/24').containsIP('192.168.1.1')",
        "cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24') && !cidr('192.168.1.0/24').containsCIDR(cidr('192.168.2.0/24'))",
        "cidr('192.168.0.1/24').ip() == ip('192.168.0.1') && cidr('::1/128').ip().family() == 6",
        "cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24') && cidr('::1/128').prefixLength() == 128",
        "cidr('192.168.0.1/24') != cidr('192.168.0.1/24').masked() && string(cidr('10.0.0.0/8')) == '10.0.0.0/8'",
      })
  void addresses(String rule) {
    assertThat(fault(rule)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "dns1123Label, my-label-name, contains a space",
    "dns1123Subdomain, apiextensions.k8s.io, a_b",
    "dns1035Label, my-label-name, 1a",
    "qualifiedName, apiextensions.k8s.io/v1beta1, a b",
    "dns1123LabelPrefix, my-label-prefix-, contains a space-",
    "dns1123SubdomainPrefix, mysubdomain.prefix.-, a_b",
    "dns1035LabelPrefix, my-label-prefix-, 1a",
    "labelValue, my-cool-label-Value, a b!!",
    "uri, http://example.com, example.com",
    "uuid, 123e4567-e89b-12d3-a456-426614174000, 123",
    "byte, aGVsbG8=, aGVsbG8",
    "date, 2021-01-01, 2021-01-32",
    "datetime, 2021-01-01T00:00:00Z, 2021-01-32T00:00:00Z",
  })
  void formats(String name, String valid, String invalid) {
    String format = "format." + name + "()";
    assertThat(fault("!%s.validate('%s').hasValue()".formatted(format, valid))).isNull();
    assertThat(fault("%s.validate('%s').hasValue()".formatted(format, invalid))).isNull();
    assertThat(fault("format.named('%s').value() == %s".formatted(name, format))).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "!format.named('unknown').hasValue()",
        "format.byte().validate('a').value() == ['invalid base64']",
        "isSemver('1.0.0') && !isSemver('hello') && !isSemver('v1.0') && isSemver('v1.0', true)",
        "semver('01.01.01', true) == semver('1.1.1') && isSemver('0.1.0-alpha.1')",
        "isSemver('1.0.18446744073709551615') && !isSemver('1.0.18446744073709551616')",
        "!isSemver('1.0.0-' + '9'.replace('9', '999999999999999999999'))",
        "!isSemver('01.0.0') && !isSemver('1.0.0-01') && !isSemver('1.0')",
        "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
        "semver('1.2.3').compareTo(semver('2.0.0')) == -1 && semver('1.2.3').isGreaterThan(semver('0.1.2'))",
        "semver('1.0.0-alpha').isLessThan(semver('1.0.0')) && semver('1.0.0-2').isLessThan(semver('1.0.0-10'))",
        "'abc 123'.find('[0-9]+') == '123' && 'abc 123'.find('xyz') == ''",
        "'123 abc 456'.findAll('[0-9]+') == ['123', '456'] && '123 abc 456'.findAll('[0-9]+', 1) == ['123']",
        "[1, 2, 3].isSorted() && ![2.0, 1.0].isSorted() && [1, 3].sum() == 4 && [1, 3].min() == 1 && [1, 3].max() == 3",
        "[1, 2, 2, 3].indexOf(2) == 1 && ['a', 'b', 'b', 'c'].lastIndexOf('b') == 2 && [1.0].indexOf(1.1) == -1",
        "dyn([1.0, 2.0]).sum() == 3.0 && dyn([]).sum() == 0",
        "[1,2,3,4].slice(1, 3) == [2, 3] && [[1],[2, 3]].flatten() == [1, 2, 3]",
        "[5,3,1,2].reverse() == [2, 1, 3, 5] && [1,2,2,3,3].distinct() == [1, 2, 3] && lists.range(3) == [0, 1, 2]",
        "['b', 'c', 'a'].sort() == ['a', 'b', 'c'] && [{'n': 2}, {'n': 1}].sortBy(e, e.n) == [{'n': 1}, {'n': 2}]",
        "sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])",
        "[1, 2].transformList(i, v, v * 2) == [2, 4] && {'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
        "[optional.of(1), optional.none()].unwrapOpt() == [1] && [1, 2].first().value() == 1 && [].last() == optional.none()",
        "'a,b'.split(',') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b' && 'TacoCat'.lowerAscii() == 'tacocat'",
        "'%e'.format([3.14]) == '3.140000×10⁰⁰' && strings.quote('a\"b') == '\"a\\\\\"b\"'",
        "string(10.0) == '10' && string(10.5) == '10.5' && duration('1h2m3s4ms').getMilliseconds() == 3723004",
        "type(duration('1s')) == google.protobuf.Duration",
      })
  void otherFunctions(String rule) {
    assertThat(fault(rule)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "quantity('Three') == quantity('1') | quantities must match the regular expression",
        "ip('127.0.0.256').family() == 4 | IP Address \"127.0.0.256\" parse error",
        "cidr('::1/129').prefixLength() == 1 | network address parse error during conversion",
        "url('../relative-path').getHost() == '' | URL parse error during conversion from string",
        "[1].slice(3, 0) == [1] | cannot slice(3, 0), start index must be less than or equal",
        "dyn([]).min() == 1 | min called on empty list",
        "[1][5] == 1 | index out of bounds: 5 evaluating rule: [1][5] == 1",
      })
  void aFunctionSaysWhyItFails(String rule, String why) {
    assertThat(fault(rule)).contains(why);
  }
}
