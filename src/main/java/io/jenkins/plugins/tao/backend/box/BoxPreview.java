package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.ArrayList;
import java.util.List;

/** What a submission would write on a box. Pure. */
final class BoxPreview {
    private BoxPreview() {}

    static Preview of(BoxPlace place, JobSpec spec, JobKey key) throws BackendException {
        BoxFiles files = BoxFiles.render(place, spec, key);
        String job = BoxLayout.job(place.base(), key);
        List<Preview.Part> parts = new ArrayList<>();
        files.job().forEach((name, text) -> parts.add(new Preview.Part(job + "/" + name, text)));
        if (!files.spec().isEmpty()) {
            parts.add(new Preview.Part(BoxLayout.spec(place.base(), key, spec.specFormat()), files.spec()));
        }
        return new Preview(parts);
    }
}
