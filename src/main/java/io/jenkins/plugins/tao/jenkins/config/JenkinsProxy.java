package io.jenkins.plugins.tao.jenkins.config;

import hudson.ProxyConfiguration;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.job.Secret;
import java.util.List;
import java.util.Optional;
import jenkins.model.Jenkins;

/** The proxy that an administrator gave Jenkins, for targets that are reached by HTTP. */
final class JenkinsProxy {
    private JenkinsProxy() {}

    /** Looked up now; empty when Jenkins has none. */
    static Optional<HttpProxy> now() {
        return Optional.ofNullable(Jenkins.get().getProxy()).flatMap(JenkinsProxy::read);
    }

    private static Optional<HttpProxy> read(ProxyConfiguration proxy) {
        Optional<String> user = FormText.text(proxy.getUserName());
        Optional<Secret> password =
                Optional.ofNullable(proxy.getSecretPassword()).map(secret -> Secret.of(secret.getPlainText()));
        List<String> except = List.of(FormText.kept(proxy.getNoProxyHost()).split("[ \\t\\n,|]+"));
        return FormText.text(proxy.getName()).map(host -> new HttpProxy(host, proxy.getPort(), user, password, except));
    }
}
