package io.jenkins.plugins.tao.backend.lepton.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.http.Json;

/** A list in an answer. One that is missing is not an empty one: what was asked for is not known then. */
public final class LeptonList {
    private LeptonList() {}

    /**
     * The elements, which come bare or in a field; the service writes an empty list as {@code null} too.
     *
     * @throws Unreadable if there is neither
     */
    public static JsonNode of(JsonNode answer, String field) throws Unreadable {
        JsonNode list = answer.isObject() ? answer.path(field) : answer;
        if (list.isNull()) {
            return Json.list();
        }
        if (list.isArray()) {
            return list;
        }
        throw new Unreadable("Lepton's answer has no list of " + field, answer.toString(), "It is asked again.");
    }
}
