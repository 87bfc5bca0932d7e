package io.jenkins.plugins.tao.backend.kubernetes.access;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import okhttp3.Interceptor;
import okhttp3.Response;

/** What the API server warned of when it last checked an object without making it: the header {@code Warning}, RFC 7234. */
public final class ServerWarnings implements Interceptor {
    private static final Pattern TEXT = Pattern.compile("299 \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

    private volatile List<String> last = List.of();

    /** The warnings of the last such answer. */
    public List<String> last() {
        return last;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        if (chain.request().url().queryParameter("dryRun") != null) {
            last = response.headers("Warning").stream()
                    .flatMap(value -> TEXT.matcher(value).results())
                    .map(found -> found.group(1).replaceAll("\\\\(.)", "$1"))
                    .distinct()
                    .toList();
        }
        return response;
    }
}
