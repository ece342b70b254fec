package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.porteiro.it.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * The manifests under docker/: what Kubernetes would not know is an error, and what they say agrees
 * with the image, with each other and with the files that they name.
 */
class ManifestsTest {
  private static final Path DOCKER = ServerProcess.root().resolve("docker");
  private static final Path COMPOSE = DOCKER.resolve("compose.yaml");

  /** Only the Kubernetes API's own fields: the model's classes would keep all others aside. */
  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .annotationIntrospector(
              new JacksonAnnotationIntrospector() {
                @Override
                public @Nullable Boolean hasAnySetter(MapperConfig<?> config, Annotated member) {
                  return false;
                }
              })
          .build();

  // ------------------------------------------------------------------ Kubernetes

  private static List<HasMetadata> kubernetes(String file) {
    List<HasMetadata> objects = new ArrayList<>();
    for (Object document : new Yaml().loadAll(text(DOCKER.resolve("kubernetes").resolve(file)))) {
      objects.add(kubernetesObject(map(document)));
    }
    return objects;
  }

  private static HasMetadata kubernetesObject(Map<String, Object> document) {
    Class<? extends HasMetadata> type =
        switch (String.valueOf(document.get("kind"))) {
          case "Deployment" -> Deployment.class;
          case "StatefulSet" -> StatefulSet.class;
          case "Service" -> Service.class;
          default -> throw new AssertionError("no class for " + document.get("kind"));
        };
    return STRICT.convertValue(document, type);
  }

  private static <T> T only(List<HasMetadata> objects, Class<T> type) {
    return objects.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }

  @Test
  void check_misspeltField_isFound() {
    Map<String, Object> service =
        Map.of(
            "kind",
            "Service",
            "apiVersion",
            "v1",
            "spec",
            Map.of("ports", List.of(Map.of("prot", 1))));
    assertThatThrownBy(() -> kubernetesObject(service))
        .isInstanceOf(UnrecognizedPropertyException.class);
  }

  @Test
  void sidecar_startsBeforeItsApplicationAndEndsAfterIt() {
    Deployment deployment = only(kubernetes("sidecar.yaml"), Deployment.class);
    PodSpec pod = deployment.getSpec().getTemplate().getSpec();
    Container porteiro = pod.getInitContainers().getFirst();
    assertThat(porteiro.getRestartPolicy()).isEqualTo("Always");
    assertIsSafe(pod, porteiro);
    assertThat(deployment.getSpec().getSelector().getMatchLabels())
        .isEqualTo(deployment.getSpec().getTemplate().getMetadata().getLabels());
    assertThat(environment(porteiro).get("PORTEIRO_BIND")).startsWith("127.0.0.1");
  }

  @Test
  void statefulSet_isReachedByItsService() {
    List<HasMetadata> objects = kubernetes("statefulset.yaml");
    StatefulSet set = only(objects, StatefulSet.class);
    Service service = only(objects, Service.class);
    PodSpec pod = set.getSpec().getTemplate().getSpec();
    Container porteiro = pod.getContainers().getFirst();
    assertIsSafe(pod, porteiro);
    assertThat(porteiro.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/readyz");
    Map<String, String> labels = set.getSpec().getTemplate().getMetadata().getLabels();
    assertThat(service.getSpec().getSelector()).isEqualTo(labels);
    assertThat(set.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    assertThat(set.getSpec().getServiceName()).isEqualTo(service.getMetadata().getName());
    for (ServicePort port : service.getSpec().getPorts()) {
      assertThat(containerPort(porteiro, port.getTargetPort().getStrVal()))
          .isEqualTo(port.getPort());
    }
    assertThat(set.getSpec().getVolumeClaimTemplates().getFirst().getMetadata().getName())
        .isEqualTo("data");
  }

  /** Probes, limits, rights and the volume, in both manifests. */
  private static void assertIsSafe(PodSpec pod, Container porteiro) {
    assertProbe(porteiro, porteiro.getStartupProbe(), "/readyz");
    assertProbe(porteiro, porteiro.getLivenessProbe(), "/livez");
    assertThat(environment(porteiro).get("PORTEIRO_HTTP_BIND"))
        .as("a kubelet asks from outside")
        .startsWith("*");
    assertThat(porteiro.getLifecycle().getPreStop().getExec().getCommand()).isNotEmpty();
    assertThat(pod.getTerminationGracePeriodSeconds()).isGreaterThan(10);
    assertThat(pod.getEnableServiceLinks()).isFalse();
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(pod.getSecurityContext().getFsGroup()).isEqualTo(999);
    assertThat(porteiro.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
    assertThat(porteiro.getResources().getLimits()).containsKey("memory");
    assertThat(porteiro.getVolumeMounts().getFirst().getMountPath()).isEqualTo("/data");
    assertAreSettings(environment(porteiro).keySet());
  }

  private static void assertProbe(Container porteiro, Probe probe, String path) {
    assertThat(probe.getHttpGet().getPath()).isEqualTo(path);
    assertThat(containerPort(porteiro, probe.getHttpGet().getPort().getStrVal())).isEqualTo(9121);
  }

  private static int containerPort(Container container, String name) {
    return container.getPorts().stream()
        .filter(port -> port.getName().equals(name))
        .findFirst()
        .orElseThrow()
        .getContainerPort();
  }

  private static Map<String, String> environment(Container container) {
    Map<String, String> variables = new TreeMap<>();
    container.getEnv().forEach(variable -> variables.put(variable.getName(), variable.getValue()));
    return variables;
  }

  // ------------------------------------------------------------------ compose

  @Test
  void compose_namesOnlyWhatThereIs() {
    Map<String, Object> compose = map(new Yaml().load(text(COMPOSE)));
    Map<String, Object> services = map(compose.get("services"));
    assertThat(services)
        .containsOnlyKeys("porteiro", "postgres", "gatekeeper", "prometheus", "grafana");
    Set<String> volumes = new TreeSet<>();
    for (Object service : services.values()) {
      assertFilesExist(map(service), volumes);
      assertThat(services.keySet()).containsAll(dependencies(map(service)));
    }
    assertThat(map(compose.get("volumes")).keySet()).isEqualTo(volumes);
    assertAreSettings(map(map(services.get("porteiro")).get("environment")).keySet());
    assertThat(list(map(services.get("porteiro")).get("ports")))
        .containsExactly("127.0.0.1:6379:6379", "127.0.0.1:9121:9121");
  }

  /** Files that are mounted or built from exist; names of volumes are collected. */
  private static void assertFilesExist(Map<String, Object> service, Set<String> volumes) {
    for (String volume : list(service.get("volumes"))) {
      String source = volume.split(":", -1)[0];
      if (source.startsWith("./")) {
        assertThat(DOCKER.resolve(source)).exists();
      } else {
        volumes.add(source);
      }
    }
    if (service.get("build") instanceof Map<?, ?> build) {
      Path context = DOCKER.resolve((String) build.get("context")).normalize();
      assertThat(context.resolve((String) build.get("dockerfile"))).isRegularFile();
    }
  }

  private static Set<String> dependencies(Map<String, Object> service) {
    Object names = service.get("depends_on");
    return names instanceof Map<?, ?> ? map(names).keySet() : new HashSet<>(list(names));
  }

  @Test
  void prometheusAndGrafana_areToldWhereTheOthersAre() {
    assertThat(text(DOCKER.resolve("prometheus/prometheus.yml"))).contains("porteiro:9121");
    Path provisioning = DOCKER.resolve("grafana/provisioning");
    assertThat(text(provisioning.resolve("datasources/prometheus.yaml")))
        .contains("http://prometheus:9090");
    String provider = text(provisioning.resolve("dashboards/porteiro.yaml"));
    assertThat(provider).contains("path: /etc/porteiro");
    assertThat(text(COMPOSE)).contains("./grafana/porteiro.json:/etc/porteiro/porteiro.json");
  }

  // ------------------------------------------------------------------ the images

  /** A Dockerfile copies each file that it names from the checkout, which must have it. */
  @Test
  void dockerfiles_copyWhatThereIs() throws IOException {
    Pattern copy = Pattern.compile("COPY (?!--from)(?:--\\S+ )*(\\S+) \\S+");
    for (String name : List.of("Dockerfile", "examples/gatekeeper/Dockerfile")) {
      try (Stream<String> lines = Files.lines(DOCKER.resolve(name))) {
        List<String> sources =
            lines.map(copy::matcher).filter(m -> m.matches()).map(m -> m.group(1)).toList();
        assertThat(sources).isNotEmpty();
        sources.forEach(source -> assertThat(ServerProcess.root().resolve(source)).exists());
      }
    }
  }

  /** Maven reads the descriptions of all modules, also to build one of them. */
  @Test
  void dockerfiles_copyAllModules() {
    Pattern module = Pattern.compile("<module>(.*)</module>");
    List<String> modules =
        module
            .matcher(text(ServerProcess.root().resolve("pom.xml")))
            .results()
            .map(match -> match.group(1))
            .toList();
    for (String name : List.of("Dockerfile", "examples/gatekeeper/Dockerfile")) {
      assertThat(modules)
          .isNotEmpty()
          .allMatch(path -> text(DOCKER.resolve(name)).contains("COPY " + path));
    }
  }

  // ------------------------------------------------------------------ all of them

  /** Their values are tried by docker/check; here a misspelt name is found. */
  private static void assertAreSettings(Set<String> variables) {
    assertThat(variables).isNotEmpty().isSubsetOf("PORTEIRO_BIND", "PORTEIRO_HTTP_BIND");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(@Nullable Object yaml) {
    return (Map<String, Object>) Objects.requireNonNull(yaml);
  }

  @SuppressWarnings("unchecked")
  private static List<String> list(@Nullable Object yaml) {
    return yaml == null ? List.of() : (List<String>) yaml;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
