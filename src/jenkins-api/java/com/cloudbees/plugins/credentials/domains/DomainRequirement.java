package com.cloudbees.plugins.credentials.domains;

public class DomainRequirement implements java.io.Serializable {
    private static final long serialVersionUID = 1L;
}
