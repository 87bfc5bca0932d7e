package io.jenkins.plugins.tao.backend.lepton.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonName;
import io.jenkins.plugins.tao.job.Secret;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What jobs keep in a workspace: the secrets of one attempt, which go with it, and the storage's, which stay. */
public record LeptonSecrets(LeptonApi api) {
    private static final Logger LOGGER = Logger.getLogger(LeptonSecrets.class.getName());

    /**
     * Keeps values, and gives the names under which the workspace lists them: it may add a suffix. What an attempt that
     * never began has left is made anew, for its value may be another by now; a name of the storage says its value.
     *
     * @param names the name of each variable's secret
     */
    public Map<String, String> store(Map<String, String> names, Map<String, Secret> values) throws BackendException {
        if (names.isEmpty()) {
            return names;
        }
        List<String> there = listed();
        for (Map.Entry<String, Secret> value : values.entrySet()) {
            String name = names.getOrDefault(value.getKey(), value.getKey());
            List<String> same = named(there, name);
            boolean ours = LeptonName.isOurSecret(name);
            for (String old : ours ? same : List.<String>of()) {
                api.deleteUserSecret(old);
            }
            if (ours || same.isEmpty()) {
                api.createUserSecret(name, value.getValue());
            }
        }
        List<String> now = listed();
        Map<String, String> known = new LinkedHashMap<>(names);
        known.replaceAll(
                (variable, name) -> named(now, name).stream().findFirst().orElse(name));
        return known;
    }

    /** Takes back what {@link #store} has made for an attempt that is not to be. */
    public void takeBack(Collection<String> names) {
        try {
            List<String> there = listed();
            remove(names.stream().flatMap(name -> named(there, name).stream()).toList());
        } catch (BackendException e) {
            LOGGER.log(Level.WARNING, "secrets of a refused job stay in the workspace: {0}", e.explain());
        }
    }

    /**
     * Removes those that were made for one attempt.
     *
     * @param names as the workspace lists them
     * @return whether none is left
     */
    public boolean remove(Collection<String> names) {
        boolean all = true;
        for (String name : names) {
            try {
                if (LeptonName.isOurSecret(name)) {
                    api.deleteUserSecret(name);
                }
            } catch (BackendException e) {
                all = false;
                Level level = e instanceof BackendException.Unreachable ? Level.FINE : Level.WARNING;
                LOGGER.log(level, "secret {0} stays in the workspace for now: {1}", new Object[] {name, e.explain()});
            }
        }
        return all;
    }

    private List<String> listed() throws BackendException {
        List<String> names = new ArrayList<>();
        for (JsonNode secret : api.userSecrets()) {
            names.add(secret.path("name").asText(""));
        }
        return names;
    }

    private static List<String> named(List<String> listed, String name) {
        return listed.stream()
                .filter(each -> each.equals(name) || each.startsWith(name + "."))
                .toList();
    }
}
