package io.jenkins.plugins.tao.payload;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.payload.S3Settings.Keys;
import java.util.Optional;

/** A place where AWS's tools look for keys. */
@FunctionalInterface
interface RoleSource {
    /**
     * Asks for keys now.
     *
     * @return empty if the place is not set up
     * @throws BackendException if it is set up and gives none
     */
    Optional<Keys> keys() throws BackendException;
}
