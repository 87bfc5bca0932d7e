package com.cloudbees.plugins.credentials.common;

public class StandardListBoxModel extends AbstractIdCredentialsListBoxModel<StandardListBoxModel, StandardCredentials> {
    private static final long serialVersionUID = 1L;
}
