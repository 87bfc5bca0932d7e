package com.cloudbees.plugins.credentials;

public interface CredentialsMatcher extends java.io.Serializable {}
