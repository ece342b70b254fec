package io.porteiro.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.porteiro.protocol.NativeBytes;
import io.porteiro.server.structure.Value;
import java.lang.foreign.Linker;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Holds the table of who may import whom: imports flow downwards through the list of packages. */
@AnalyzeClasses(packages = "io.porteiro", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "io.porteiro.server.";
  private static final String PROTOCOL = "io.porteiro.protocol..";
  private static final String CORE = "io.porteiro.server.command";
  private static final String CONFIG = ROOT + "config..";
  private static final String METRICS = ROOT + "metrics..";
  private static final String STORE = ROOT + "store..";
  private static final String STRUCTURE = ROOT + "structure..";

  /** What all values have in common, without the structures themselves. */
  private static final String COMMON_VALUE = Value.class.getPackageName();

  private static final String RDB = ROOT + "rdb..";
  private static final String ACCESS = ROOT + "access..";
  private static final String GLOB = ROOT + "glob..";
  private static final String MEMORY = ROOT + "memory..";
  private static final String HASH = ROOT + "hash..";
  private static final String NETTY = "io.netty..";
  private static final String PROMETHEUS = "io.prometheus..";

  private static final List<String> FAMILIES =
      List.of(
          "bloom",
          "hyperloglog",
          "keyspace",
          "string",
          "connection",
          "pubsub",
          "transaction",
          "access",
          "admin");

  /** One row of the table. The class library, nullness annotations and logging are for everyone. */
  private record Row(String packages, List<String> mayImport) {
    static Row of(String packages, String... mayImport) {
      return new Row(packages, Arrays.asList(mayImport));
    }

    ArchRule rule() {
      return classes()
          .that()
          .resideInAPackage(packages)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      Stream.concat(everyones(), mayImport.stream()).toArray(String[]::new))
                  .or(ARRAYS_OF_PRIMITIVES))
          .allowEmptyShould(true);
    }

    private Stream<String> everyones() {
      return Stream.of(packages, "java..", "javax..", "jdk.net..", "org.jspecify..", "org.slf4j..");
    }
  }

  private static final DescribedPredicate<JavaClass> ARRAYS_OF_PRIMITIVES =
      DescribedPredicate.describe("primitive", one -> one.getBaseComponentType().isPrimitive());

  private static final List<Row> TABLE =
      List.of(
          Row.of(ROOT + "net..", CORE, PROTOCOL, ACCESS, GLOB, CONFIG, METRICS, NETTY),
          Row.of(
              ROOT + "http..",
              CORE,
              STORE,
              STRUCTURE,
              GLOB,
              MEMORY,
              CONFIG,
              METRICS,
              NETTY,
              PROMETHEUS),
          Row.of(
              ROOT + "replication..",
              ROOT + "persistence..",
              RDB,
              CORE,
              PROTOCOL,
              STORE,
              CONFIG,
              METRICS,
              NETTY),
          Row.of(CORE, PROTOCOL, STORE, ACCESS, GLOB, CONFIG, METRICS, COMMON_VALUE, MEMORY),
          Row.of(ROOT + "persistence..", RDB, STORE, STRUCTURE, MEMORY, CORE, CONFIG, METRICS),
          Row.of(RDB, STORE, STRUCTURE, MEMORY, HASH),
          Row.of(STORE, STRUCTURE, MEMORY, HASH),
          Row.of(STRUCTURE, HASH, MEMORY),
          Row.of(ACCESS, GLOB),
          Row.of(GLOB, MEMORY),
          Row.of(HASH),
          Row.of(MEMORY, PROTOCOL),
          Row.of(CONFIG, GLOB),
          Row.of(METRICS),
          Row.of(PROTOCOL, NETTY));

  @ArchTest
  static void packages_importOnlyWhatTheTableAllows(JavaClasses all) {
    TABLE.forEach(row -> row.rule().check(all));
  }

  @ArchTest
  static void commandFamilies_importNoOtherFamily(JavaClasses all) {
    for (String family : FAMILIES) {
      Row.of(
              CORE + "." + family,
              CORE,
              PROTOCOL,
              STORE,
              STRUCTURE,
              RDB,
              ACCESS,
              GLOB,
              CONFIG,
              METRICS,
              MEMORY,
              HASH)
          .rule()
          .check(all);
    }
  }

  /** A family that is not in the list above would be checked by no rule. */
  @ArchTest
  static void commandPackages_areAllListed(JavaClasses all) {
    assertThat(
            all.stream().map(JavaClass::getPackageName).filter(name -> name.startsWith(CORE + ".")))
        .allMatch(name -> FAMILIES.contains(name.substring(CORE.length() + 1)));
  }

  @ArchTest
  static final ArchRule store_ofTheStructures_knowsOnlyTheirCommonSide =
      noClasses()
          .that()
          .resideInAPackage(STORE)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(COMMON_VALUE + ".*..");

  @ArchTest
  static final ArchRule memory_ofTheProtocol_knowsOnlyBytesAtAddresses =
      noClasses()
          .that()
          .resideInAPackage(MEMORY)
          .should()
          .dependOnClassesThat(
              resideInAPackage(PROTOCOL).and(not(belongToAnyOf(NativeBytes.class))));

  @ArchTest
  static final ArchRule structures_haveNoLoggingClockOrFiles =
      noClasses()
          .that()
          .resideInAPackage(STRUCTURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.slf4j..", "java.io..", "java.net..", "java.nio.file..", "java.time..");

  @ArchTest
  static final ArchRule netty_appearsOnlyWhereBytesTravel =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              PROTOCOL, ROOT + "net..", ROOT + "http..", ROOT + "replication..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(NETTY);

  @ArchTest
  static final ArchRule foreignLinker_isUsedByMemoryAlone =
      noClasses()
          .that()
          .resideOutsideOfPackage(MEMORY)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Linker.class);

  /** The time of day is handed in, so that tests can turn the clock; durations may be measured. */
  @ArchTest
  static final ArchRule clocks_arePassedIn =
      noClasses()
          .that()
          .resideInAnyPackage(STORE, STRUCTURE, HASH, MEMORY, RDB)
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(Clock.class, "systemUTC");
}
