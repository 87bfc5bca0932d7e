package io.jenkins.plugins.tao.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.record.ARun;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The report as Jenkins' plugin junit reads it: the rules of its {@code SuiteResult} and {@code CaseResult}, read in its version 1403. A suite is an element
 * with cases right below it; a case with {@code skipped} is skipped, one with {@code error} or {@code failure} has failed, any other has passed.
 *
 * @see <a href="https://github.com/jenkinsci/junit-plugin/blob/master/src/main/java/hudson/tasks/junit/SuiteResult.java">SuiteResult</a>
 */
class JUnitReadingTest {
    /** A case as the plugin shows it. */
    private record Case(String suite, String className, String name, String status, String details, float seconds) {}

    private static List<Case> read(String xml) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true); // as the plugin reads
        List<Case> cases = new ArrayList<>();
        suite(
                factory.newDocumentBuilder()
                        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
                        .getDocumentElement(),
                cases);
        return cases;
    }

    private static void suite(Element root, List<Case> cases) {
        children(root, "testsuite").forEach(nested -> suite(nested, cases));
        for (Element one : children(root, "testcase")) {
            String className =
                    one.hasAttribute("classname") ? one.getAttribute("classname") : root.getAttribute("name");
            Optional<Element> bad = children(one, "error").stream()
                    .findFirst()
                    .or(() -> children(one, "failure").stream().findFirst());
            Optional<Element> skipped = children(one, "skipped").stream().findFirst();
            String status = skipped.isPresent() ? "SKIPPED" : bad.isPresent() ? "FAILED" : "PASSED";
            String details = skipped.or(() -> bad)
                    .map(element -> element.getAttribute("message"))
                    .orElse("");
            String time = one.getAttribute("time").replace(",", "");
            cases.add(new Case(
                    root.getAttribute("name"),
                    className,
                    one.getAttribute("name"),
                    status,
                    details,
                    time.isEmpty() ? 0 : Float.parseFloat(time)));
        }
    }

    private static List<Element> children(Element of, String name) {
        List<Element> found = new ArrayList<>();
        for (Node child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    @Test
    @Promise("NV-22")
    void gatesAndJobsAreCasesWhoseNamesStayTheSameEveryNightWithStatusMessageAndTime() throws Exception {
        TestReport report = new TestReport(
                "tao.folder/nightly",
                List.of(ARun.of(7).record(), ARun.of(8).ended("failed").record()),
                List.of(
                        TestReportTest.verdict("val_mAP as usual", GateResult.PASS, Effect.NOTE, "fine"),
                        TestReportTest.verdict(
                                "loss <= 1", GateResult.REGRESSION, Effect.UNSTABLE, "worse by <2%> & more"),
                        TestReportTest.verdict("fps", GateResult.NO_VERDICT, Effect.NOTE, "too few nights")));

        assertThat(read(report.xml()))
                .containsExactly(
                        new Case("tao.folder/nightly", "tao.folder/nightly.jobs", "dino train", "PASSED", "", 3600),
                        new Case(
                                "tao.folder/nightly",
                                "tao.folder/nightly.jobs",
                                "dino train",
                                "FAILED",
                                "failed",
                                3600),
                        new Case("tao.folder/nightly", "tao.folder/nightly.gates", "val_mAP as usual", "PASSED", "", 0),
                        new Case(
                                "tao.folder/nightly",
                                "tao.folder/nightly.gates",
                                "loss <= 1",
                                "FAILED",
                                "worse by <2%> & more",
                                0),
                        new Case(
                                "tao.folder/nightly",
                                "tao.folder/nightly.gates",
                                "fps",
                                "SKIPPED",
                                "too few nights",
                                0));
    }
}
