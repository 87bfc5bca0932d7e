package com.cloudbees.plugins.credentials;

public interface Credentials extends java.io.Serializable {}
