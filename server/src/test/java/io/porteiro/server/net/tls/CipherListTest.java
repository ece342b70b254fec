package io.porteiro.server.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Names and meaning are those of {@code openssl ciphers}. */
class CipherListTest {
  private static final String GCM_256 = "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384";
  private static final String GCM_128 = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
  private static final String CHACHA = "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256";
  private static final String DHE = "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256";
  private static final String DSS = "TLS_DHE_DSS_WITH_AES_256_CBC_SHA";
  private static final String RSA = "TLS_RSA_WITH_AES_128_CBC_SHA";
  private static final String TRIPLE = "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA";

  private static final List<String> AVAILABLE =
      List.of(
          "TLS_AES_256_GCM_SHA384",
          GCM_128,
          GCM_256,
          CHACHA,
          DHE,
          DSS,
          RSA,
          TRIPLE,
          "TLS_DH_anon_WITH_AES_128_CBC_SHA",
          "TLS_EMPTY_RENEGOTIATION_INFO_SCSV");

  private static List<String> select(String list) {
    return CipherList.select(list, AVAILABLE);
  }

  @Test
  void names_selectTheirSuitesInTheListsOrder() {
    assertThat(select("ECDHE-RSA-CHACHA20-POLY1305:ECDHE-RSA-AES256-GCM-SHA384"))
        .containsExactly(CHACHA, GCM_256);
    assertThat(select("ECDHE-ECDSA-AES128-GCM-SHA256,DHE-RSA-AES128-SHA256 AES128-SHA"))
        .containsExactly(GCM_128, DHE, RSA);
    assertThat(select("DHE-DSS-AES256-SHA:ECDHE-RSA-DES-CBC3-SHA")).containsExactly(DSS, TRIPLE);
  }

  @Test
  void default_selectsAllButAnonymousOnesAndThoseOfTls13() {
    assertThat(select("DEFAULT")).containsExactly(GCM_128, GCM_256, CHACHA, DHE, DSS, RSA, TRIPLE);
    assertThat(select("all")).hasSize(7);
  }

  @Test
  void words_selectByExchangeAuthenticationEncryptionAndHash() {
    assertThat(select("kRSA")).containsExactly(RSA);
    assertThat(select("ECDHE")).containsExactly(GCM_128, GCM_256, CHACHA, TRIPLE);
    assertThat(select("aECDSA")).containsExactly(GCM_128);
    assertThat(select("DHE+aRSA")).containsExactly(DHE);
    assertThat(select("AES256")).containsExactly(GCM_256, DSS);
    assertThat(select("AESGCM+AES128")).containsExactly(GCM_128);
    assertThat(select("MEDIUM")).containsExactly(TRIPLE);
    assertThat(select("SHA256")).containsExactly(DHE);
    assertThat(select("TLSv1.2")).containsExactly(GCM_128, GCM_256, CHACHA, DHE);
  }

  @Test
  void exclamationMark_forbidsForGood_minusOnlyTakesOut() {
    assertThat(select("HIGH:!aDSS:!kRSA:aDSS")).containsExactly(GCM_128, GCM_256, CHACHA, DHE);
    assertThat(select("HIGH:-ECDHE:-DHE:CHACHA20")).containsExactly(RSA, CHACHA);
  }

  @Test
  void plus_movesToTheEnd_andStrengthSorts() {
    assertThat(select("ECDHE+AESGCM:CHACHA20:+AESGCM")).containsExactly(CHACHA, GCM_128, GCM_256);
    assertThat(select("AESGCM:CHACHA20:@STRENGTH")).containsExactly(GCM_256, CHACHA, GCM_128);
  }

  @Test
  void wordsThatSelectNothing_areIgnored() {
    assertThat(select("RC4:aNULL:nonsense:kRSA:!eNULL:@SECLEVEL=2")).containsExactly(RSA);
    assertThat(select("nonsense")).isEmpty();
  }
}
