package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.spec.Addresses;
import io.jenkins.plugins.tao.spec.FilledJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job's inputs and outputs mean in its container. Pure.
 *
 * @param needed paths that must be there already
 * @param downloads what is fetched from S3 before the command
 * @param models what is fetched from Hugging Face before the command
 * @param artifacts what is fetched from NVIDIA's registry before the command
 * @param uploads what is sent to S3 while the command runs and after it
 */
record Transfers(
        List<String> needed,
        List<Transfer> downloads,
        List<HubModel> models,
        List<NgcArtifact> artifacts,
        List<Transfer> uploads) {
    private static final Pattern PLACED = Pattern.compile("(/[^=]*)=([a-z0-9_]+:.*)", Pattern.DOTALL);
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9_+.-]*):/.*", Pattern.DOTALL);
    private static final String RESULTS = "results";
    private static final Duration UPLOAD_EVERY = Duration.ofMinutes(5);

    /**
     * Where things are in the container.
     *
     * @param inputs the root below which inputs land
     * @param results the results directory
     * @param member what addresses of outputs have behind them for each member of a job; empty for a job without
     * @param shared whether {@code inputs} is a volume that jobs share, with results below it
     * @param kept whether the results directory outlives the container by itself
     */
    record Places(String inputs, String results, String member, boolean shared, boolean kept) {
        S3Address own(S3Address address) {
            return member.isEmpty() ? address : address.resolve(member);
        }

        /** Whoever names the results directory as an output means that of each member. */
        String own(String path) {
            return path.equals(FilledJob.parent(results)) && !member.isEmpty() ? results : path;
        }
    }

    static Transfers of(JobSpec spec, JobKey key, Optional<S3Settings> storage, Places places) {
        List<String> needed = new ArrayList<>();
        List<Transfer> downloads = new ArrayList<>();
        List<HubModel> models = new ArrayList<>();
        List<NgcArtifact> artifacts = new ArrayList<>();
        for (String input : spec.inputs()) {
            Matcher placed = PLACED.matcher(input);
            String uri = placed.matches() ? placed.group(2) : input;
            Optional<String> path = placed.matches() ? Optional.of(absolute(placed.group(1))) : Optional.empty();
            if (S3Address.isMeant(uri)) {
                S3Address address = S3Address.parse(uri);
                downloads.add(new Transfer(address, path.orElseGet(() -> local(address, storage, places))));
            } else if (uri.startsWith(HubModel.SCHEME)) {
                HubModel model = HubModel.parse(uri);
                models.add(path.map(model::at).orElseGet(() -> model.below(places.inputs())));
            } else if (uri.startsWith(NgcArtifact.SCHEME)) {
                NgcArtifact artifact = NgcArtifact.parse(uri);
                artifacts.add(path.map(artifact::at).orElseGet(() -> artifact.below(places.inputs())));
            } else {
                needed.add(visible(uri));
            }
        }
        return new Transfers(needed, downloads, models, artifacts, uploads(spec, key, storage, places));
    }

    private static String visible(String input) {
        Matcher scheme = SCHEME.matcher(input);
        require(
                !scheme.matches() || input.startsWith("lustre:/"),
                "input '%s' cannot be brought into a container; copy it to S3 and write s3://bucket/path",
                input);
        String path = input.replaceFirst("^lustre:/+", "/");
        require(path.startsWith("/"), "input '%s' is a relative path; write it from the root", input);
        return path;
    }

    /** The results of earlier jobs lie on a shared volume where these wrote them. */
    static String local(S3Address address, Optional<S3Settings> storage, Places places) {
        boolean ours = storage.flatMap(S3Settings::bucket)
                .filter(address.bucket()::equals)
                .isPresent();
        if (places.shared() && ours && address.key().startsWith(RESULTS + "/")) {
            return places.inputs() + "/" + address.key();
        }
        String bucket = places.inputs() + "/" + address.bucket();
        return address.key().isEmpty() ? bucket : bucket + "/" + address.key();
    }

    private static List<Transfer> uploads(JobSpec spec, JobKey key, Optional<S3Settings> storage, Places places) {
        List<Transfer> uploads = new ArrayList<>();
        Optional<S3Address> folder =
                storage.flatMap(S3Settings::bucket).map(bucket -> new S3Address(bucket, RESULTS + "/" + key));
        for (String output : spec.outputs()) {
            Matcher placed = PLACED.matcher(output);
            String path = places.own(absolute(placed.matches() ? placed.group(1) : output));
            if (placed.matches()) {
                uploads.add(new Transfer(places.own(S3Address.parse(placed.group(2))), path));
            } else {
                require(folder.isPresent(), "output '%s' has no place to go to; %s", output, S3Settings.WANTED);
                boolean results = path.equals(places.results());
                S3Address own = places.own(folder.get());
                uploads.add(new Transfer(results ? own : own.resolve(name(path)), path));
            }
        }
        if (uploads.isEmpty()) {
            Optional<String> named = FilledJob.requestedResults(spec).filter(S3Address::isMeant);
            Optional<S3Address> destination =
                    named.map(S3Address::parse).or(() -> places.kept() && !places.shared() ? Optional.empty() : folder);
            destination.ifPresent(address -> uploads.add(new Transfer(places.own(address), places.results())));
        }
        return uploads;
    }

    boolean useS3() {
        return !downloads.isEmpty() || !uploads.isEmpty();
    }

    boolean any() {
        return useS3() || !models.isEmpty() || !artifacts.isEmpty();
    }

    /** What the runner in the container fetches; empty for nothing. */
    String downloadPlan(Payload payload) {
        if (downloads.isEmpty() && models.isEmpty() && artifacts.isEmpty()) {
            return "";
        }
        Map<String, Object> plan = plan(payload, downloads);
        plan.put("cache", payload.inputsRoot() + "/.tao-etags");
        plan.put("shared", payload.sharesInputs());
        plan.put("models", models);
        if (!artifacts.isEmpty()) {
            plan.put("artifacts", artifacts);
        }
        return Json.write(plan);
    }

    /** What the runner in the container sends; empty for nothing. */
    String uploadPlan(Payload payload) {
        if (uploads.isEmpty()) {
            return "";
        }
        Map<String, Object> plan = plan(payload, uploads);
        plan.put(
                "every",
                payload.storage()
                        .flatMap(S3Settings::uploadEvery)
                        .orElse(UPLOAD_EVERY)
                        .toSeconds());
        plan.put("exclude", payload.storage().map(S3Settings::exclude).orElse(List.of()));
        plan.put("owner", payload.key().value());
        plan.put("results", payload.resultsDirectory());
        return Json.write(plan);
    }

    private static Map<String, Object> plan(Payload payload, List<Transfer> transfers) {
        Map<String, Object> plan = new LinkedHashMap<>();
        payload.storage().ifPresent(storage -> plan.put("region", storage.regionOrDefault()));
        plan.put("endpoint", payload.storage().flatMap(S3Settings::endpoint).orElse(""));
        plan.put("files", transfers.stream().map(Transfer::plan).toList());
        return plan;
    }

    /** Where the inputs lie. */
    Addresses addresses() {
        Addresses addresses = Addresses.NONE;
        for (Transfer download : downloads) {
            addresses = download.in(addresses);
        }
        for (HubModel model : models) {
            addresses = addresses.with(model.pattern(), 0, model.local());
        }
        for (NgcArtifact artifact : artifacts) {
            addresses = addresses.with(artifact.pattern(), 0, artifact.local());
        }
        return addresses;
    }

    private static String absolute(String path) {
        String bare = path.replaceAll("/+$", "");
        require(!bare.isEmpty(), "the root directory of a container is neither an input nor an output");
        require(
                !bare.contains("/../") && !bare.endsWith("/..") && bare.indexOf('\n') < 0,
                "'%s' must be one plain absolute path",
                path);
        return bare;
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
