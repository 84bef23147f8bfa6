package dev.stint.apiextensions.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextFormatsTest {
  @ParameterizedTest
  @CsvSource({
    "date-time,2026-01-31T12:00:00Z,true",
    "date-time,2026-01-31T12:00:00.123+01:00,true",
    "date-time,2026-02-30T12:00:00Z,false",
    "date-time,2026-01-31,false",
    "date,2026-01-31,true",
    "date,2026-1-31,false",
    "duration,1h30m,true",
    "duration,5 minutes,true",
    "duration,5x,false",
    "duration,1.5h,true",
    "duration,1h 30m,false",
    "duration,9223372036854775807ns,true",
    "duration,9223372036854775808 ns,false",
    "duration,9223372036854775807 weeks,true",
    "duration,999999999999999999999999999999h,false",
    "duration,999999999999999999999999999999 hours,false",
    "ipv4,10.0.0.1,true",
    "ipv4,10.0.0.256,false",
    "ipv6,fd00::1,true",
    "ipv6,10.0.0.1,false",
    "cidr,10.0.0.0/8,true",
    "cidr,10.0.0.0/33,false",
    "uri,https://example.com/a,true",
    "uri,no uri,false",
    "uri,https://example.com/{id},true",
    "uri,http://example.com/a b,true",
    "uri,http://example.com/a|b,true",
    "uri,/p?q={x},true",
    "uri,http://a b/c,false",
    "uri,http://example.com/%zz,false",
    "uri,:a,false",
    "uri,'',false",
    "email,a@example.com,true",
    "email,Bob <bob@example.com>,true",
    "email,<bob@example.com>,true",
    "'email','\"Bob, B.\" <bob@example.com>',true",
    "email,Bob bob@example.com,false",
    "email,Bob <bob>,false",
    "email,a,false",
    "hostname,node-1.example.com,true",
    "hostname,-a,false",
    "mac,00:1a:2b:3c:4d:5e,true",
    "mac,00:1a:2b,false",
    "uuid,123e4567-e89b-12d3-a456-426614174000,true",
    "uuid4,123e4567-e89b-12d3-a456-426614174000,false",
    "byte,YWI=,true",
    "byte,YWI,false",
    "isbn,978-3-16-148410-0,true",
    "isbn10,0306406152,true",
    "isbn10,0306406153,false",
    "creditcard,4111111111111111,true",
    "creditcard,4111111111111112,false",
    "ssn,111-22-3333,true",
    "hexcolor,#ffaa00,true",
    "hexcolor,#ff,false",
    "'rgbcolor','rgb(0, 10,255)',true",
    "'rgbcolor','rgb(0, 10,256)',false",
    "k8s-short-name,a.b,false",
    "k8s-long-name,a.b,true",
    "password,anything,true",
    "of-nobody,anything,true"
  })
  void aTextHasAFormat(String format, String text, boolean expected) {
    assertThat(TextFormats.matches(format, text)).isEqualTo(expected);
  }
}
