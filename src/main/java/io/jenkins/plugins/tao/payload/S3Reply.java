package io.jenkins.plugins.tao.payload;

import java.io.StringReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * What S3 answers. Elements it does not know pass by; document types and entities are not read.
 *
 * @param root the name of the outermost element
 * @param objects the objects of a page of a list
 * @param next where the next page begins; empty on the last one
 * @param words the text of each single element, such as {@code Code}, {@code Message} and {@code Region} of an error
 */
record S3Reply(String root, List<Stored> objects, Optional<String> next, Map<String, String> words) {

    /**
     * An object in a list.
     *
     * @param written when it was stored, as S3 writes it; empty where that is missing
     */
    record Stored(String key, long size, String written) {
        /** Not every storage encodes keys as it was asked to; one that does says so. */
        Stored decoded() {
            return new Stored(URLDecoder.decode(key, StandardCharsets.UTF_8), size, written);
        }
    }

    /** A reply without any word of S3's own. */
    static S3Reply silent() {
        return new S3Reply("", List.of(), Optional.empty(), Map.of());
    }

    /** Reads a list or an error; empty if it is no XML. */
    static Optional<S3Reply> parse(String text) {
        try {
            XMLStreamReader xml = factory().createXMLStreamReader(new StringReader(text));
            try {
                return Optional.of(read(xml));
            } finally {
                xml.close();
            }
        } catch (XMLStreamException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    private static S3Reply read(XMLStreamReader xml) throws XMLStreamException {
        List<Stored> objects = new ArrayList<>();
        Map<String, String> words = new HashMap<>();
        StringBuilder text = new StringBuilder();
        String last = "";
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> text.setLength(0);
                case XMLStreamConstants.CHARACTERS -> text.append(xml.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    if (xml.getLocalName().equals("Contents")) {
                        objects.add(stored(words));
                    } else {
                        words.put(xml.getLocalName(), text.toString());
                    }
                    text.setLength(0);
                    last = xml.getLocalName();
                }
                default -> {
                    // comments and the like say nothing
                }
            }
        }
        boolean more = words.getOrDefault("IsTruncated", "").equals("true");
        Optional<String> next = Optional.ofNullable(words.get("NextContinuationToken"));
        if (words.getOrDefault("EncodingType", "").equals("url")) {
            objects.replaceAll(Stored::decoded);
        }
        return new S3Reply(last, List.copyOf(objects), next.filter(any -> more), Map.copyOf(words));
    }

    private static Stored stored(Map<String, String> words) {
        String key = words.getOrDefault("Key", "");
        String size = words.getOrDefault("Size", "0");
        String written = words.getOrDefault("LastModified", "");
        return new Stored(key, size.matches("\\d{1,18}") ? Long.parseLong(size) : 0, written);
    }

    boolean isList() {
        return root.equals("ListBucketResult");
    }

    /** Its text; empty when there is none. */
    String word(String name) {
        return words.getOrDefault(name, "");
    }
}
