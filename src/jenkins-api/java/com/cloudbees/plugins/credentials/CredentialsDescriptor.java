package com.cloudbees.plugins.credentials;

import hudson.model.Descriptor;

public abstract class CredentialsDescriptor extends Descriptor<Credentials> {}
