package io.muninn.launch.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The printed YAML, read by a library, beside the published schema of Kubernetes 1.31. */
class ManifestsTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    /** Of each type of an object, the type of each field; a star marks those that are required. */
    private static final Map<String, Map<String, String>> SCHEMA =
            Map.ofEntries(
                    type(
                            "Secret",
                            "apiVersion:string* kind:string* metadata:ObjectMeta*"
                                    + " stringData:strings"),
                    type(
                            "Service",
                            "apiVersion:string* kind:string* metadata:ObjectMeta*"
                                    + " spec:ServiceSpec*"),
                    type(
                            "Job",
                            "apiVersion:string* kind:string* metadata:ObjectMeta*"
                                    + " spec:JobSpec*"),
                    type("ObjectMeta", "name:string labels:strings"),
                    type(
                            "ServiceSpec",
                            "clusterIP:string publishNotReadyAddresses:boolean"
                                    + " selector:strings ports:ServicePort[]"),
                    type("ServicePort", "name:string port:integer*"),
                    type(
                            "JobSpec",
                            "completionMode:string completions:integer parallelism:integer"
                                    + " backoffLimit:integer template:PodTemplateSpec*"),
                    type("PodTemplateSpec", "metadata:ObjectMeta spec:PodSpec"),
                    type(
                            "PodSpec",
                            "subdomain:string restartPolicy:string"
                                    + " containers:Container[]* volumes:Volume[]"),
                    type(
                            "Container",
                            "name:string* image:string command:string[] args:string[]"
                                    + " ports:ContainerPort[] volumeMounts:VolumeMount[]"),
                    type("ContainerPort", "containerPort:integer*"),
                    type("VolumeMount", "name:string* mountPath:string* readOnly:boolean"),
                    type("Volume", "name:string* secret:SecretVolumeSource"),
                    type("SecretVolumeSource", "secretName:string defaultMode:integer"));

    private static Map.Entry<String, Map<String, String>> type(String name, String fields) {
        Map<String, String> types = new TreeMap<>();
        for (String field : fields.split(" ")) {
            types.put(field.split(":")[0], field.split(":")[1]);
        }
        return Map.entry(name, types);
    }

    @Test
    void manifests_fitThePublishedSchema() {
        List<Map<?, ?>> documents = documents(manifests("sor", "sor"));

        assertEquals(
                List.of("v1 Secret", "v1 Service", "batch/v1 Job"),
                documents.stream()
                        .map(each -> each.get("apiVersion") + " " + each.get("kind"))
                        .toList());
        documents.forEach(each -> assertFits(each.get("kind").toString(), "", each));
    }

    /** A checker that accepts everything would prove nothing. */
    @Test
    void manifestWithoutARequiredField_doesNotFit() {
        assertThrows(
                AssertionError.class,
                () -> assertFits("ServicePort", "", Map.of("name", "muninn")));
        assertThrows(
                AssertionError.class, () -> assertFits("ServicePort", "", Map.of("port", "7000")));
        assertThrows(
                AssertionError.class,
                () -> assertFits("ServicePort", "", Map.of("port", 1, "prot", "TCP")));
    }

    private static void assertFits(String type, String path, Object value) {
        String one = type.replace("*", "");
        if (one.endsWith("[]")) {
            List<?> elements = assertIs(List.class, path, value);
            assertTrue(!elements.isEmpty(), path + " is empty");
            String element = one.substring(0, one.length() - 2);
            elements.forEach(each -> assertFits(element, path + "[]", each));
            return;
        }
        switch (one) {
            case "string" -> assertIs(String.class, path, value);
            case "integer" -> assertIs(Integer.class, path, value);
            case "boolean" -> assertIs(Boolean.class, path, value);
            case "strings" -> {
                Map<?, ?> strings = assertIs(Map.class, path, value);
                strings.values().forEach(each -> assertIs(String.class, path, each));
            }
            default -> assertObjectFits(SCHEMA.get(one), path, assertIs(Map.class, path, value));
        }
    }

    private static void assertObjectFits(
            Map<String, String> fields, String path, Map<?, ?> object) {
        Set<String> unknown = new TreeSet<>();
        object.forEach((name, value) -> {
            String type = fields.get(name.toString());
            if (type == null) {
                unknown.add(path + "." + name);
            } else {
                assertFits(type, path + "." + name, value);
            }
        });
        assertEquals(Set.of(), unknown);
        fields.forEach((name, type) ->
                assertTrue(
                        !type.endsWith("*") || object.containsKey(name),
                        path + "." + name + " is missing"));
    }

    private static <T> T assertIs(Class<T> type, String path, Object value) {
        assertTrue(type.isInstance(value), path + " is " + value + ", no " + type.getSimpleName());
        return type.cast(value);
    }

    /** A pod's name, its service, its port and its secret's file are what a node looks for. */
    @Test
    void podsFindTheRootByTheirNames() {
        List<Map<?, ?>> documents = documents(manifests("sor", "sor"));
        Map<?, ?> service = documents.get(1);
        Map<?, ?> job = documents.get(2);
        Map<?, ?> pod = at(job, "spec", "template");

        ClusterEnvironment task =
                ClusterEnvironment.of(
                                Map.of(
                                        "JOB_COMPLETION_INDEX",
                                        "2",
                                        "HOSTNAME",
                                        at(job, "metadata").get("name") + "-2"))
                        .orElseThrow();
        String root = task.root(OptionalInt.empty()).toString();

        Map<?, ?> port = (Map<?, ?>) ((List<?>) at(service, "spec").get("ports")).getFirst();
        assertEquals("sor-0." + at(service, "metadata").get("name") + ":" + port.get("port"), root);
        assertEquals(Optional.of("sor-2"), task.listenOfRoot());
        assertEquals("None", at(service, "spec").get("clusterIP"));
        assertEquals(at(service, "metadata").get("name"), at(pod, "spec").get("subdomain"));
        Map<?, ?> labels = at(pod, "metadata", "labels");
        at(service, "spec", "selector")
                .forEach((label, value) -> assertEquals(value, labels.get(label)));
        assertEquals("Indexed", at(job, "spec").get("completionMode"));
        assertEquals(3, at(job, "spec").get("completions"));
        assertEquals(3, at(job, "spec").get("parallelism"));
    }

    @Test
    void nodeIsToldTheFileOfTheSecretThatOnlyItsOwnerReads() {
        List<Map<?, ?>> documents = documents(manifests("sor", "sor"));
        Map<?, ?> pod = at(documents.get(2), "spec", "template", "spec");
        Map<?, ?> mount = first(first(pod, "containers"), "volumeMounts");
        Map<?, ?> volume = at(first(pod, "volumes"), "secret");

        Map<?, ?> data = at(documents.getFirst(), "stringData");
        assertEquals(Set.of("secret"), data.keySet());
        assertEquals(SECRET, data.get("secret"));
        assertEquals(at(documents.getFirst(), "metadata").get("name"), volume.get("secretName"));
        assertEquals(0400, volume.get("defaultMode"));
        assertTrue(arguments(pod).contains("--secret-file=" + mount.get("mountPath") + "/secret"));
    }

    @Test
    void wordsOfTheUser_arriveAsTheyAre() {
        List<String> odd = List.of("sor", "--a=b: c", "\"", "'", "$(HOME)", "- x", "#", "<&>", "");
        Map<?, ?> pod =
                at(
                        documents(manifests("sor", odd.toArray(String[]::new))).get(2),
                        "spec",
                        "template",
                        "spec");

        List<String> expected = new ArrayList<>(odd);
        expected.set(4, "$$(HOME)"); // which Kubernetes turns into $(HOME)
        expected.addAll(0, List.of("--nodes=3", "--secret-file=/run/secrets/muninn/secret"));
        assertEquals(expected, arguments(pod));
        assertEquals(List.of("/muninn/dsm", "node"), first(pod, "containers").get("command"));
        assertEquals("example.org/muninn:1", first(pod, "containers").get("image"));
    }

    @ParameterizedTest
    @CsvSource({
        "sor, sor",
        "org.example.KMeans, kmeans",
        "Outer.Inner_2, inner-2",
        "org.example.Über_, ber"
    })
    void nameOfAProgram_isALabel(String program, String expected) {
        assertEquals(expected, Manifests.nameOf(program));
        assertEquals(expected, manifests(expected, program).name());
    }

    @ParameterizedTest
    @CsvSource({"''", "Sor", "2sor", "sor-", "a.b"})
    void nameThatIsNoLabel_isRefused(String name) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> manifests(name, "sor"));

        assertTrue(refused.getMessage().startsWith("'" + name + "' cannot name a job: --name"));
    }

    private static Manifests manifests(String name, String... words) {
        return new Manifests(
                name, 3, "example.org/muninn:1", Path.of("/muninn/dsm"), SECRET, List.of(words));
    }

    private static List<Map<?, ?>> documents(Manifests manifests) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<Map<?, ?>> documents = new ArrayList<>();
        new Yaml(new SafeConstructor(options))
                .loadAll(manifests.toYaml())
                .forEach(each -> documents.add((Map<?, ?>) each));
        return documents;
    }

    private static Map<?, ?> at(Map<?, ?> object, String... path) {
        Map<?, ?> here = object;
        for (String name : path) {
            here = (Map<?, ?>) here.get(name);
        }
        return here;
    }

    private static Map<?, ?> first(Map<?, ?> object, String list) {
        return (Map<?, ?>) ((List<?>) object.get(list)).getFirst();
    }

    private static List<?> arguments(Map<?, ?> pod) {
        return (List<?>) first(pod, "containers").get("args");
    }
}
