package io.jenkins.plugins.tao;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import io.jenkins.plugins.tao.job.JobKey;
import java.net.URI;
import java.net.URL;
import java.security.CodeSource;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.platform.commons.support.ReflectionSupport;

/** The compiled classes of this project. Those who look through the whole class path for them open some two hundred archives. */
public final class OurClasses implements LocationProvider {
    /** The classes that ship, without the types of Jenkins that are compiled with them. */
    @Override
    public Set<Location> get(Class<?> test) {
        String known = JobKey.class.getName().replace('.', '/') + ".class";
        String place =
                Objects.requireNonNull(JobKey.class.getResource("/" + known)).toString();
        String root = OurClasses.class.getPackageName().replace('.', '/');
        return Set.of(Location.of(URI.create(place.substring(0, place.length() - known.length()) + root)));
    }

    private static URL source(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return Objects.requireNonNull(source, type.getName()).getLocation();
    }

    /** Those that ship, of the package {@code root} and the packages in it, by name. */
    public static Stream<Class<?>> shipped(String root) {
        URL place = source(JobKey.class);
        return all(root, type -> source(type).equals(place));
    }

    /** The same with those of the tests, as far as they are {@code wanted}. */
    public static Stream<Class<?>> all(String root, Predicate<Class<?>> wanted) {
        return ReflectionSupport.streamAllClassesInPackage(root, wanted, name -> true)
                .sorted(Comparator.comparing(Class::getName));
    }
}
