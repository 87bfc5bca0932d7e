package com.cloudbees.plugins.credentials.common;

import com.cloudbees.plugins.credentials.Credentials;

public interface UsernameCredentials extends Credentials {
    String getUsername();

    default boolean isUsernameSecret() {
        throw new UnsupportedOperationException();
    }
}
