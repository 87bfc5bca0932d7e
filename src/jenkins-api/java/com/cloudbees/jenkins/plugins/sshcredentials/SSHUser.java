package com.cloudbees.jenkins.plugins.sshcredentials;

import com.cloudbees.plugins.credentials.common.StandardUsernameCredentials;

public interface SSHUser extends StandardUsernameCredentials {}
