package dev.tenure.checks;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/// A Maven file, read by XPath.
record Pom(Document document) {

    static Pom read(Path file) {
        try {
            return new Pom(
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()));
        } catch (Exception e) {
            throw new IllegalStateException(file + ": cannot be read as XML", e);
        }
    }

    /// The text of every node the expression selects, in file order.
    List<String> texts(String xpath) {
        try {
            var nodes =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(xpath, document, XPathConstants.NODESET);
            return IntStream.range(0, nodes.getLength())
                    .mapToObj(i -> nodes.item(i).getTextContent().strip())
                    .toList();
        } catch (Exception e) {
            throw new IllegalStateException(xpath + ": cannot be evaluated", e);
        }
    }
}
