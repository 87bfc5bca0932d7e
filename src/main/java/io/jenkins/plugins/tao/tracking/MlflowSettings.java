package io.jenkins.plugins.tao.tracking;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.http.HttpCredential;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.job.text.Option;
import java.time.Duration;
import java.util.Optional;

/**
 * The MLflow server that runs are logged to, as {@code mlflow} of a targets file or of the global configuration.
 *
 * @param address where it answers, such as {@code https://mlflow.example.org}; what its users open in a browser
 * @param token sent as {@code Authorization: Bearer}; looked up when runs are sent
 * @param user sent with {@code password} as {@code Authorization: Basic}
 * @param password belongs to {@code user}
 * @param experiment the name of a run's experiment, with {@code {job}}, {@code {target}}, {@code {network}}, {@code {action}},
 *     {@code {user}} or {@code {branch}} in it
 */
public record MlflowSettings(
        String address,
        Optional<SecretSource> token,
        Optional<String> user,
        Optional<SecretSource> password,

        @Option(defaultsTo = "`{job}`, the full name of the Jenkins job")
        Optional<String> experiment) {
    private static final String RENEWAL = "Give the mlflow section another token, or another user and password.";
    private static final String NAME = "the login of the mlflow section";

    public MlflowSettings {
        address = address.strip().replaceAll("/+$", "");
        require(
                address.matches("https?://[^/?#@\\s]++(/[^?#\\s]*+)?+"),
                "address must be like https://mlflow.example.org, without user or query, was '%s'",
                address);
        require(token.isEmpty() || (user.isEmpty() && password.isEmpty()), "give a token, or a user and a password");
        require(user.isPresent() == password.isPresent(), "user and password belong together");
        experiment.ifPresent(ExperimentName::check);
    }

    /** The server, not called yet; its calls end within {@code call}. */
    public MlflowServer server(Optional<HttpProxy> proxy, Duration call) {
        HttpSettings settings = HttpSettings.defaults().proxy(proxy).call(call);
        return new MlflowServer(new MlflowApi(address, credential(), settings), new ExperimentName(experiment));
    }

    private HttpCredential credential() {
        if (token.isPresent()) {
            return HttpCredential.bearer(NAME, token.get().read(), RENEWAL);
        }
        if (user.isPresent() && password.isPresent()) {
            return HttpCredential.basic(NAME, user.get(), password.get().read(), RENEWAL);
        }
        return HttpCredential.ofRequests("no login", RENEWAL);
    }
}
