package com.cloudbees.plugins.credentials.common;

import com.cloudbees.plugins.credentials.Credentials;
import hudson.util.Secret;

public interface PasswordCredentials extends Credentials {
    Secret getPassword();
}
