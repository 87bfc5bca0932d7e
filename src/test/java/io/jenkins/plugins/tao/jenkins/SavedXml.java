package io.jenkins.plugins.tao.jenkins;

import com.thoughtworks.xstream.XStream;
import com.thoughtworks.xstream.io.xml.DomDriver;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What Jenkins has saved as XML, read as it reads it: by XStream, without constructors, passing by what is unknown. */
public final class SavedXml {
    private static final Path CAPTURED = Path.of("src/test/resources/saved");
    private static final String ALL_OF_OURS = "io.jenkins.plugins.tao.**";

    private SavedXml() {}

    /** Homes of Jenkins that this plugin wrote: one folder a version and date, with {@code home} and what lay on the target in {@code base}. */
    public static Path captured(String version) {
        return CAPTURED.resolve(version);
    }

    /** All files of all captured homes. */
    public static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(CAPTURED)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** The one object that {@code xml} is. */
    public static Object read(String xml) {
        XStream xstream = new XStream(new DomDriver());
        xstream.allowTypesByWildcard(new String[] {ALL_OF_OURS});
        xstream.ignoreUnknownElements();
        return xstream.fromXML(xml);
    }

    /** The objects of a class of ours that a file of Jenkins has somewhere. */
    public static <T> List<T> read(Path file, Class<T> type) {
        NodeList found = document(file).getElementsByTagName(type.getName());
        return IntStream.range(0, found.getLength())
                .mapToObj(found::item)
                .map(SavedXml::text)
                .map(SavedXml::read)
                .map(type::cast)
                .toList();
    }

    /** The elements of a name, anywhere in a file. */
    public static List<Element> elements(Path file, String name) {
        NodeList found = document(file).getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(found::item)
                .map(Element.class::cast)
                .toList();
    }

    /** The elements right below another one. */
    public static List<Element> children(Element parent) {
        NodeList found = parent.getChildNodes();
        return IntStream.range(0, found.getLength())
                .mapToObj(found::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .toList();
    }

    /** Jenkins writes XML 1.1, though nothing in these files needs it. */
    private static Document document(Path file) {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SAXException | ParserConfigurationException e) {
            throw new IllegalArgumentException(file + " is not XML", e);
        }
    }

    private static String text(Node element) {
        StringWriter text = new StringWriter();
        try {
            TransformerFactory.newInstance().newTransformer().transform(new DOMSource(element), new StreamResult(text));
        } catch (TransformerException e) {
            throw new IllegalArgumentException(element.getNodeName(), e);
        }
        return text.toString();
    }
}
