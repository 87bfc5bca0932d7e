package org.jenkinsci.plugins.plaincredentials;

import com.cloudbees.plugins.credentials.common.StandardCredentials;
import java.io.IOException;
import java.io.InputStream;

public interface FileCredentials extends StandardCredentials {
    String getFileName();

    InputStream getContent() throws IOException;
}
