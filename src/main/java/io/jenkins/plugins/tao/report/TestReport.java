package io.jenkins.plugins.tao.report;

import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.gate.criteria.Effect;
import io.jenkins.plugins.tao.gate.statistics.GateResult;
import io.jenkins.plugins.tao.gate.statistics.Measure;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Runs and gates as a test report in the form of JUnit's Ant task: a gate that is to make the build UNSTABLE or FAILURE is a failing case, one
 * without a verdict is a skipped one. Pure.
 *
 * @param suite its name, such as {@code tao.nightly}: cases of one name are one line of a trend
 */
public record TestReport(String suite, List<RunRecord> runs, List<PastVerdict> verdicts) {
    public TestReport {
        runs = List.copyOf(runs);
        verdicts = List.copyOf(verdicts);
    }

    /** The report as XML; characters that XML forbids are left out. */
    public String xml() {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeCharacters("\n");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", clean(suite));
            xml.writeAttribute("tests", String.valueOf(runs.size() + verdicts.size()));
            for (RunRecord run : runs) {
                run(xml, run);
            }
            for (PastVerdict verdict : verdicts) {
                verdict(xml, verdict);
            }
            xml.writeCharacters("\n");
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a test report cannot be written to memory", e);
        }
        return text + "\n";
    }

    private void run(XMLStreamWriter xml, RunRecord run) throws XMLStreamException {
        begin(xml, "jobs", run.workName(), Measure.DURATION.of(run));
        switch (run.outcome()) {
            case "succeeded" -> {}
            case "cancelled" -> element(xml, "skipped", "cancelled");
            default ->
                element(
                        xml,
                        "failure",
                        run.text("outcome/detail")
                                .or(() -> run.text("outcome/cause"))
                                .orElse(run.outcome()));
        }
        end(xml);
    }

    private void verdict(XMLStreamWriter xml, PastVerdict verdict) throws XMLStreamException {
        begin(xml, "gates", verdict.gate(), OptionalDouble.empty());
        if (verdict.effect() != Effect.NOTE) {
            element(xml, "failure", verdict.sentence());
        } else if (verdict.call() == GateResult.NO_VERDICT) {
            element(xml, "skipped", verdict.sentence());
        } else {
            xml.writeStartElement("system-out");
            xml.writeCharacters(clean(verdict.call().words() + ": " + verdict.sentence()));
            xml.writeEndElement();
        }
        end(xml);
    }

    private void begin(XMLStreamWriter xml, String kind, String name, OptionalDouble seconds)
            throws XMLStreamException {
        xml.writeCharacters("\n  ");
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", clean(suite + "." + kind));
        xml.writeAttribute("name", clean(name));
        if (seconds.isPresent()) {
            xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", seconds.getAsDouble()));
        }
    }

    private static void end(XMLStreamWriter xml) throws XMLStreamException {
        xml.writeEndElement();
    }

    private static void element(XMLStreamWriter xml, String element, String message) throws XMLStreamException {
        xml.writeStartElement(element);
        xml.writeAttribute("message", clean(message));
        xml.writeCharacters(clean(message));
        xml.writeEndElement();
    }

    private static String clean(String text) {
        return text.codePoints()
                .filter(point -> point == '\t'
                        || point == '\n'
                        || (point >= ' ' && point <= 0xD7FF)
                        || (point >= 0xE000 && point <= 0xFFFD)
                        || point >= 0x10000)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
