package io.jenkins.plugins.tao.jenkins.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.jenkins.plugins.tao.cost.AccountText;
import io.jenkins.plugins.tao.cost.Budget;
import io.jenkins.plugins.tao.cost.PriceTable;
import io.jenkins.plugins.tao.placing.Limit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The prices, budgets and limits of the global configuration: YAML lists, written as in a targets file. */
final class AccountsText {
    private static final YAMLMapper YAML = new YAMLMapper();

    private AccountsText() {}

    static PriceTable prices(String text) {
        return AccountText.prices(entries("prices", text));
    }

    static List<Budget> budgets(String text) {
        return AccountText.budgets(entries("budgets", text));
    }

    static List<Limit> limits(String text) {
        return Limit.read(entries("limits", text));
    }

    private static List<Map<String, String>> entries(String field, String text) {
        List<Map<String, String>> entries = new ArrayList<>();
        if (text.isBlank()) {
            return entries;
        }
        String expected = "'" + field + "' must be a list such as '- {target: dgx, …}'";
        try {
            JsonNode list = YAML.readTree(text);
            if (!list.isArray()) {
                throw new IllegalArgumentException(expected);
            }
            for (JsonNode item : list) {
                if (!item.isObject()) {
                    throw new IllegalArgumentException(expected);
                }
                Map<String, String> entry = new LinkedHashMap<>();
                item.properties()
                        .forEach(key -> entry.put(key.getKey(), key.getValue().asText()));
                entries.add(entry);
            }
            return entries;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(expected + ": " + e.getOriginalMessage(), e);
        }
    }
}
