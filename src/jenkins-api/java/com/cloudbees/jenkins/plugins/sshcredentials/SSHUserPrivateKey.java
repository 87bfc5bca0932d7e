package com.cloudbees.jenkins.plugins.sshcredentials;

import hudson.util.Secret;
import java.util.List;

public interface SSHUserPrivateKey extends SSHUser {
    Secret getPassphrase();

    List<String> getPrivateKeys();
}
