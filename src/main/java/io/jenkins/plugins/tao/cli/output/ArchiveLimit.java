package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.backend.ArtifactLimits;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the sizes of {@code --archive-limit}. */
final class ArchiveLimit implements ITypeConverter<ArtifactLimits> {
    @Override
    public ArtifactLimits convert(String value) {
        try {
            return ArtifactLimits.parse(value);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
