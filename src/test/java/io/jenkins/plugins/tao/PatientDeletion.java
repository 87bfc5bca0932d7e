package io.jenkins.plugins.tao;

import java.io.IOException;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirDeletionStrategy;

/**
 * Removes the temporary directory of a test again while something still writes there. The processes of a job outlive the test
 * that submitted it: they run apart from Java, and their last files may appear between two steps of the removal.
 */
public final class PatientDeletion implements TempDirDeletionStrategy {
    @Override
    public DeletionResult delete(Path directory, AnnotatedElementContext element, ExtensionContext test)
            throws IOException {
        DeletionResult first = Standard.INSTANCE.delete(directory, element, test);
        if (first.isSuccessful()) {
            return first;
        }
        return Awaitility.await("removal of " + directory)
                .until(() -> Standard.INSTANCE.delete(directory, element, test), DeletionResult::isSuccessful);
    }
}
