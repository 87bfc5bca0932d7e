package io.jenkins.plugins.tao.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.record.ARun;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Gates and runs as test cases. */
class TestReportTest {
    static PastVerdict verdict(String gate, GateResult call, Effect effect, String sentence) {
        return new PastVerdict(
                "#7", "", List.of("a"), gate, call, effect, sentence, OptionalDouble.of(0.4), OptionalDouble.empty());
    }

    /** Each case as {@code class/name: what is in it}. */
    private static List<String> cases(TestReport report) throws Exception {
        Element root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(report.xml().getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
        NodeList cases = root.getElementsByTagName("testcase");
        List<String> found = new ArrayList<>();
        for (int i = 0; i < cases.getLength(); i++) {
            Element one = (Element) cases.item(i);
            String in = one.getFirstChild() == null
                    ? "pass"
                    : one.getFirstChild().getNodeName() + " " + one.getTextContent();
            found.add(one.getAttribute("classname") + "/" + one.getAttribute("name") + ": " + in);
        }
        return found;
    }

    @Test
    @Promise("NV-22")
    void eachGateIsACaseThatPassesFailsOrIsSkipped() throws Exception {
        TestReport report = new TestReport(
                "tao.nightly",
                List.of(),
                List.of(
                        verdict("mAP as usual", GateResult.PASS, Effect.NOTE, "fine"),
                        verdict("loss <= 1 & \"x\"", GateResult.REGRESSION, Effect.UNSTABLE, "worse\u0000 by <2%>"),
                        verdict("fps", GateResult.FAILED, Effect.FAILURE, "NaN"),
                        verdict("duration", GateResult.REGRESSION, Effect.NOTE, "only noted"),
                        verdict("wait", GateResult.NO_VERDICT, Effect.NOTE, "too few nights")));

        assertThat(cases(report))
                .containsExactly(
                        "tao.nightly.gates/mAP as usual: system-out pass: fine",
                        "tao.nightly.gates/loss <= 1 & \"x\": failure worse by <2%>",
                        "tao.nightly.gates/fps: failure NaN",
                        "tao.nightly.gates/duration: system-out regression: only noted",
                        "tao.nightly.gates/wait: skipped too few nights");
    }

    @Test
    @Promise("NV-22")
    void eachJobIsACaseOfTheSameNameEveryNight() throws Exception {
        TestReport report = new TestReport(
                "tao.nightly",
                List.of(
                        ARun.of(7).record(),
                        ARun.of(7)
                                .ended("failed")
                                .text("outcome", "detail", "CUDA out of memory")
                                .without("work", "network")
                                .without("work", "action")
                                .record(),
                        ARun.of(7).ended("cancelled").record(),
                        ARun.of(7).ended("lost").record()),
                List.of());

        assertThat(report.xml()).contains("time=\"3600.000\"");
        assertThat(cases(report))
                .containsExactly(
                        "tao.nightly.jobs/dino train: pass",
                        "tao.nightly.jobs/train: failure CUDA out of memory",
                        "tao.nightly.jobs/dino train: skipped cancelled",
                        "tao.nightly.jobs/dino train: failure lost");
    }
}
